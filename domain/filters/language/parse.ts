import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { Conjunction, Criterion, FilterState } from '../criteria/criterion.ts'
import type { Names } from './phrase.ts'
import { readPhrase } from './phrases.ts'
import { Cursor, tokensOf } from './words.ts'

/** More conditions than one description is split into. */
const MAX_CRITERIA = 25
const MAX_LENGTH = 4000

/** Words that say nothing about whom is meant; no word that denies or narrows may stand here. */
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
  readonly words: Set<Conjunction>
  readonly strange: string[]
}

/** The word between two conditions; one that joins them is only meant between conditions. */
const readJoint = (cursor: Cursor, { criteria, words }: Reading): boolean => {
  if (cursor.take(',')) return true
  const word = cursor.takeAny(['and', 'but', 'or'])
  if (word === undefined) return false
  if (criteria.length > 0) words.add(word === 'or' ? 'or' : 'and')
  return true
}

const read = (cursor: Cursor, names: Names): Reading => {
  const reading: Reading = { criteria: [], words: new Set(), strange: [] }
  while (!cursor.done) {
    const phrase = readPhrase(cursor, names)
    if (phrase) {
      reading.criteria.push(...phrase.criteria)
      if (phrase.joined) reading.words.add(phrase.joined)
      continue
    }
    if (readJoint(cursor, reading)) continue
    const token = cursor.next()!
    if (token.quoted || !FILLERS.has(token.word)) reading.strange.push(token.text)
  }
  return reading
}

const EXAMPLES =
  'tags ("tagged VIP"), dates ("created in the last 30 days"), names, e-mail addresses, activity ("inactive for 60 days")'

/**
 * The filter that a description means, by fixed rules: the same words always give the same filter. Whatever is not understood
 * refuses the whole description, for a filter that leaves something out would reach people who are not meant.
 */
export const parseDescription = (text: string, names: Names): FilterState | Refusal => {
  if (text.length > MAX_LENGTH) return TOO_LARGE()
  const { criteria, words, strange } = read(new Cursor(tokensOf(text)), names)
  if (strange.length > 0) {
    const said = [...new Set(strange)].map((word) => `'${word}'`).join(', ')
    return invalid(`text was not understood at ${said}. What is understood: ${EXAMPLES}`)
  }
  if (criteria.length === 0) return invalid(`text names no condition. What is understood: ${EXAMPLES}`)
  if (criteria.length > MAX_CRITERIA) return TOO_LARGE()
  if (words.size > 1) return invalid("text joins conditions with both 'and' and 'or'; a filter has only one of them")
  return { conjunction: words.has('or') && criteria.length > 1 ? 'or' : 'and', criteria }
}
