import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { Conjunction, Criterion, FilterState } from '../criteria/criterion.ts'
import type { Names } from './phrase.ts'
import { readPhrase } from './phrases.ts'
import { Cursor, tokensOf } from './words.ts'

/** Highest number of conditions in one description. */
const MAX_CRITERIA = 25
const MAX_LENGTH = 4000
/** Highest number of words. Every reader is tried at each of them. */
const MAX_WORDS = 500

/** Words that do not change which contacts are meant. A word that negates or narrows must not be among them. */
const FILLERS = new Set([
  'a',
  'all',
  'an',
  'any',
  'anybody',
  'anyone',
  'are',
  'been',
  'contact',
  'contacts',
  'customers',
  'every',
  'everybody',
  'everyone',
  'find',
  'get',
  'give',
  'had',
  'has',
  'have',
  'is',
  'leads',
  'list',
  'me',
  'my',
  'of',
  'our',
  'people',
  'persons',
  'please',
  'select',
  'show',
  'that',
  'the',
  'them',
  'those',
  'users',
  'was',
  'were',
  'which',
  'who',
  "who's",
  'whose',
  'ones',
  'also',
])

const invalid = (text: string): Refusal => refuse.invalid(text, 'text', 'invalid')

export const TOO_LARGE = (): Refusal => invalid('The request is too large to translate into a contact filter.')

interface Reading {
  readonly criteria: Criterion[]
  readonly conjunctions: Set<Conjunction>
  readonly unknown: string[]
}

/** Reads a word or comma between conditions. A word before the first condition joins nothing. */
const readConjunction = (cursor: Cursor, { criteria, conjunctions }: Reading): boolean => {
  if (cursor.take(',')) return true
  const word = cursor.takeAny(['and', 'but', 'or'])
  if (word === undefined) return false
  if (criteria.length > 0) conjunctions.add(word === 'or' ? 'or' : 'and')
  return true
}

const read = (cursor: Cursor, names: Names): Reading => {
  const reading: Reading = { criteria: [], conjunctions: new Set(), unknown: [] }
  while (!cursor.done) {
    const phrase = readPhrase(cursor, names)
    if (phrase) {
      reading.criteria.push(...phrase.criteria)
      if (phrase.joined) reading.conjunctions.add(phrase.joined)
      continue
    }
    if (readConjunction(cursor, reading)) continue
    const token = cursor.next()!
    if (token.quoted || !FILLERS.has(token.word)) reading.unknown.push(token.text)
  }
  return reading
}

const EXAMPLES =
  'tags ("tagged VIP"), dates ("created in the last 30 days"), names, e-mail addresses, activity ("inactive for 60 days")'

/**
 * Translates a description into a filter by fixed rules: the same text always gives the same filter. One word that is not understood
 * refuses the whole description, because a filter that left it out could reach people who are not meant.
 */
export const parseDescription = (text: string, names: Names): FilterState | Refusal => {
  if (text.length > MAX_LENGTH) return TOO_LARGE()
  const tokens = tokensOf(text)
  if (tokens.length > MAX_WORDS) return TOO_LARGE()
  const { criteria, conjunctions, unknown } = read(new Cursor(tokens), names)
  if (unknown.length > 0) {
    const unknownWords = [...new Set(unknown)].map((word) => `'${word}'`).join(', ')
    return invalid(`text was not understood at ${unknownWords}. What is understood: ${EXAMPLES}`)
  }
  if (criteria.length === 0) return invalid(`text names no condition. What is understood: ${EXAMPLES}`)
  if (criteria.length > MAX_CRITERIA) return TOO_LARGE()
  if (conjunctions.size > 1)
    return invalid("text joins conditions with both 'and' and 'or'; a filter has only one of them")
  return { conjunction: conjunctions.has('or') && criteria.length > 1 ? 'or' : 'and', criteria }
}
