import { readAbsence, readDates } from './dates.ts'
import { type Names, NOT, type Phrase, type PhraseReader, singleCondition } from './phrase.ts'
import { readTagged } from './tags.ts'
import { readAddress, readFlag, readNamed, readValue } from './values.ts'
import type { Cursor } from './words.ts'

const CREATED = [
  'were created',
  'was created',
  'were added',
  'was added',
  'created',
  'added',
  'joined',
  'have joined',
  'signed up',
  'have signed up',
  'registered',
]

const readCreated: PhraseReader = (cursor) =>
  cursor.try(() => {
    if (!cursor.takeAny(CREATED)) return undefined
    const date = readDates(cursor)
    return date && singleCondition({ attribute: 'created_at', ...date })
  })

const readUnsubscribed: PhraseReader = (cursor) =>
  cursor.try(() => {
    const negated = cursor.takeAny(NOT) !== undefined
    if (!cursor.takeAny(['unsubscribed', 'unsubscribe'])) return undefined
    const date = negated ? undefined : readDates(cursor)
    return singleCondition({ attribute: 'unsubscribed_at', ...(date ?? { clause: negated ? 'nst' : 'st' }) })
  })

const ACTIVE = ['last active', 'last seen', 'been active', 'active', 'seen']

const readActivity: PhraseReader = (cursor) =>
  cursor.try(() => {
    const negated = cursor.takeAny(NOT) !== undefined
    const inactive = cursor.takeAny(['inactive', 'no activity', 'without activity', 'without any activity'])
    if (inactive !== undefined && negated) return undefined
    if (inactive === undefined && !cursor.takeAny(ACTIVE)) return undefined
    const date = negated || inactive !== undefined ? readAbsence(cursor) : readDates(cursor)
    return date && singleCondition({ attribute: 'last_activity', ...date })
  })

const READERS: readonly PhraseReader[] = [
  readFlag,
  readTagged,
  readCreated,
  readUnsubscribed,
  readActivity,
  readValue,
  readNamed,
  readAddress,
]

/** Reads the condition that begins at the cursor, or returns `undefined` when none does. */
export const readPhrase = (cursor: Cursor, names: Names): Phrase | undefined => {
  for (const read of READERS) {
    const phrase = read(cursor, names)
    if (phrase) return phrase
  }
  return undefined
}
