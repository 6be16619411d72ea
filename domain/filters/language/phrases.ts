import type { JsonObject } from '../../kernel/values/event.ts'
import { readAbsence, readDates } from './dates.ts'
import { type Names, NOT, one, type Phrase, type Reader } from './phrase.ts'
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

const readCreated: Reader = (cursor) =>
  cursor.try(() => {
    if (!cursor.takeAny(CREATED)) return undefined
    const date = readDates(cursor)
    return date && one({ attribute: 'created_at', ...date })
  })

const readUnsubscribed: Reader = (cursor) =>
  cursor.try(() => {
    const denied = cursor.takeAny(NOT) !== undefined
    if (!cursor.takeAny(['unsubscribed', 'unsubscribe'])) return undefined
    const date = denied ? undefined : readDates(cursor)
    return one({ attribute: 'unsubscribed_at', ...(date ?? { clause: denied ? 'nst' : 'st' }) })
  })

const ACTIVE = ['last active', 'last seen', 'been active', 'active', 'seen']

const readActivity: Reader = (cursor) =>
  cursor.try(() => {
    const denied = cursor.takeAny(NOT) !== undefined
    const absent = cursor.takeAny(['inactive', 'no activity', 'without activity', 'without any activity'])
    if (absent !== undefined && denied) return undefined
    if (absent === undefined && !cursor.takeAny(ACTIVE)) return undefined
    const date = denied || absent !== undefined ? readAbsence(cursor) : readDates(cursor)
    return date && one({ attribute: 'last_activity', ...date })
  })

const READERS: readonly Reader[] = [
  readFlag,
  readTagged,
  readCreated,
  readUnsubscribed,
  readActivity,
  readValue,
  readNamed,
  readAddress,
]

/** The condition that begins at this place; `undefined` when none does. */
export const readPhrase = (cursor: Cursor, names: Names): Phrase | undefined => {
  for (const read of READERS) {
    const phrase = read(cursor, names)
    if (phrase) return phrase
  }
  return undefined
}

/** A workspace's names as a translator outside gets them. */
export const namesForTranslator = ({ tags }: Names): JsonObject => ({
  tags: tags.map(({ publicId, name }) => ({ id: publicId, name })),
})
