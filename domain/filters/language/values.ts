import type { Criterion } from '../criteria/criterion.ts'
import { type PhraseReader, singleCondition } from './phrase.ts'

const VALUES: readonly (readonly [phrases: readonly string[], attribute: string])[] = [
  [['first names', 'first name'], 'first_name'],
  [['last names', 'last name', 'surname', 'family name'], 'last_name'],
  [['email addresses', 'email address', 'e-mail address', 'emails', 'email', 'e-mail'], 'email_address'],
]
const CLAUSES: readonly (readonly [phrases: readonly string[], clause: string])[] = [
  [['does not contain', "doesn't contain"], 'dcont'],
  [['is not', "isn't"], 'dne'],
  [['starts with', 'start with', 'starting with', 'begins with', 'begin with', 'beginning with'], 'sw'],
  [['ends with', 'end with', 'ending with', 'ends in', 'ending in'], 'ew'],
  [['contains', 'contain', 'containing', 'includes'], 'cont'],
  [['is', 'equals', '=', 'of'], 'eq'],
]

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

/** Reads a condition on a name or an e-mail address: `whose first name starts with Ad`, `email ends with @example.com`. */
export const readValue: PhraseReader = (cursor) =>
  cursor.try(() => {
    cursor.takeAny(['whose', 'with a', 'with an', 'with the', 'with', 'having a', 'have a', 'has a', 'the'])
    const attribute = VALUES.find(([phrases]) => cursor.takeAny(phrases))?.[1]
    if (!attribute) return undefined
    const clause = CLAUSES.find(([phrases]) => cursor.takeAny(phrases))?.[1]
    const token = cursor.next()
    if (!token || token.word === ',' || token.text === '') return undefined
    if (clause === undefined && !(attribute === 'email_address' ? EMAIL.test(token.text) : token.quoted))
      return undefined
    return singleCondition({ attribute, clause: clause ?? 'eq', value: token.text })
  })

/** Reads an e-mail address without further words. */
export const readAddress: PhraseReader = (cursor) =>
  cursor.try(() => {
    const token = cursor.next()
    return token && EMAIL.test(token.text)
      ? singleCondition({ attribute: 'email_address', clause: 'eq', value: token.text })
      : undefined
  })

const isName = (text: string | undefined): boolean => text !== undefined && /^\p{Lu}[\p{L}'-]*$/u.test(text)

/** Reads a name, first name before last name: `named Ada`, `named "Ada Lovelace"`, `named Ada Lovelace`. */
export const readNamed: PhraseReader = (cursor) =>
  cursor.try(() => {
    if (!cursor.takeAny(['named', 'called'])) return undefined
    const token = cursor.next()
    const words = token?.quoted ? token.text.split(/\s+/) : [token?.text ?? '']
    if (!token?.quoted && isName(cursor.peek()?.text)) words.push(cursor.next()!.text)
    const [first, last, ...more] = words
    if (!first || more.length > 0 || !(token?.quoted || isName(first))) return undefined
    const criteria: Criterion[] = [{ attribute: 'first_name', clause: 'eq', value: first }]
    if (last !== undefined) criteria.push({ attribute: 'last_name', clause: 'eq', value: last })
    return criteria.length === 1 ? { criteria } : { criteria, joined: 'and' }
  })

const FLAGS: readonly (readonly [phrases: readonly string[], attribute: string, clause: string, value?: string])[] = [
  [['not suppressed', 'unsuppressed'], 'email_suppression', 'nst'],
  [['suppressed'], 'email_suppression', 'st'],
  [['not anonymous', 'identified', 'known'], 'anonymous', 'eq', 'false'],
  [['anonymous', 'not identified', 'unidentified', 'unknown'], 'anonymous', 'eq', 'true'],
]

/** Reads words that are a condition by themselves. */
export const readFlag: PhraseReader = (cursor) => {
  const found = FLAGS.find(([phrases]) => cursor.takeAny(phrases))
  if (!found) return undefined
  const [, attribute, clause, value] = found
  return singleCondition({ attribute, clause, ...(value !== undefined && { value: [value] }) })
}
