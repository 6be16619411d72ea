import { charactersIn, lastPlace, placeBehind, placesAround } from '../../kernel/values/characters.ts'
import { Decimal, wholeIn } from './numbers.ts'
import { asText, budgetOf, type Handler } from './rendering.ts'

/** White space at which Ruby splits. */
const SPACES = /[\t\n\v\f\r ]+/

export const size: Handler = (value) => {
  if (typeof value === 'string') return charactersIn(value)
  return typeof value !== 'object' || value === null || value instanceof Decimal ? 0 : Object.keys(value).length
}

/** Parts of a text; its characters, where it is split at nothing. */
export const split: Handler = (value, at) => {
  const [text, pattern] = [asText(value), asText(at)]
  const parts = pattern === '' ? [...text] : pattern === ' ' ? text.trimStart().split(SPACES) : text.split(pattern)
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1)
}

/** Puts a text around each character where it replaces nothing. */
export const replacing = (handler: Handler): Handler =>
  function (value, pattern, by) {
    if (asText(pattern) !== '') return handler.call(this, value, pattern, by)
    const [text, replacement] = [asText(value), asText(by)]
    budgetOf(this.context).make((text.length + 1) * (replacement.length + 1))
    return ['', ...text, ''].join(replacement)
  }

/** Beginning of a text that is too long. It ends before a character that readers would see half of. */
export const truncate: Handler = (value, most = 50, end = '...') => {
  const [text, ending] = [asText(value), asText(end)]
  if (charactersIn(text) <= wholeIn(most)) return text
  return text.slice(0, lastPlace(text, placeBehind(text, 0, wholeIn(most) - charactersIn(ending)))) + ending
}

/** Part of a text, with the whole of each character that readers see begin in it. */
export const slicing = (handler: Handler): Handler =>
  function (value, begin, count = 1) {
    const [from, length] = [wholeIn(begin), wholeIn(count)]
    if (Array.isArray(value)) return handler.call(this, value, from, length)
    const text = asText(value)
    const start = from < 0 ? charactersIn(text) + from : from
    if (start < 0 || length <= 0) return ''
    const at = placeBehind(text, 0, start)
    const [first, last] = [at, placeBehind(text, at, length)].map((place) => placesAround(text, place)[1])
    return text.slice(first, last)
  }
