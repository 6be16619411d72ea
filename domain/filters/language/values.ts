import type { Criterion } from '../criteria/criterion.ts'
import { one, type Reader } from './phrase.ts'

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

/** `whose first name starts with Ad`, `email ends with @example.com`. */
export const readValue: Reader = (cursor) =>
  cursor.try(() => {
    cursor.takeAny(['whose', 'with a', 'with an', 'with the', 'with', 'having a', 'have a', 'has a', 'the'])
    const attribute = VALUES.find(([phrases]) => cursor.takeAny(phrases))?.[1]
    if (!attribute) return undefined
    const clause = CLAUSES.find(([phrases]) => cursor.takeAny(phrases))?.[1]
    const token = cursor.next()
    if (!token || token.word === ',' || token.text === '') return undefined
    if (clause === undefined && !(attribute === 'email_address' ? EMAIL.test(token.text) : token.quoted))
      return undefined
    return one({ attribute, clause: clause ?? 'eq', value: token.text })
  })

/** An e-mail address by itself. */
export const readAddress: Reader = (cursor) =>
  cursor.try(() => {
    const token = cursor.next()
    return token && EMAIL.test(token.text)
      ? one({ attribute: 'email_address', clause: 'eq', value: token.text })
      : undefined
  })

const isName = (text: string | undefined): boolean => text !== undefined && /^\p{Lu}[\p{L}'-]*$/u.test(text)

/** `named Ada`, `named "Ada Lovelace"`, `named Ada Lovelace`: first name, then last. */
export const readNamed: Reader = (cursor) =>
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

/** Words that are a condition by themselves. */
export const readFlag: Reader = (cursor) => {
  const found = FLAGS.find(([phrases]) => cursor.takeAny(phrases))
  if (!found) return undefined
  const [, attribute, clause, value] = found
  return one({ attribute, clause, ...(value !== undefined && { value: [value] }) })
}
