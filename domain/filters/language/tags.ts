import { type Names, NOT, type Phrase, type PhraseReader, singleCondition } from './phrase.ts'
import type { Cursor } from './words.ts'

/** Reads the next tag name and returns the tag's public id. The longest matching name wins. */
const readTag = (cursor: Cursor, { tags }: Names): string | undefined => {
  const token = cursor.peek()
  if (!token?.quoted) return tags.take(cursor)
  const quoted = tags.named(token.word)
  if (quoted !== undefined) cursor.next()
  return quoted
}

/** Reads a list of tags: `VIP`, `VIP or Gold`, `VIP, Gold and "Big Spender"`. */
const readTags = (cursor: Cursor, names: Names) => {
  const first = readTag(cursor, names)
  if (first === undefined) return undefined
  const found = [first]
  const words = new Set<string>()
  for (;;) {
    const more = cursor.try(() => {
      const comma = cursor.take(',')
      const word = cursor.takeAny(['and', 'or'])
      if (!comma && !word) return undefined
      const tag = readTag(cursor, names)
      return tag && { tag, word }
    })
    if (!more) break
    found.push(more.tag)
    if (more.word) words.add(more.word)
  }
  cursor.takeAny(['tags', 'tag'])
  return words.size > 1 ? undefined : { found, word: words.has('or') ? ('or' as const) : ('and' as const) }
}

const tagCriteria = (list: NonNullable<ReturnType<typeof readTags>>, negated: boolean): Phrase | undefined => {
  const { found, word } = list
  if (negated)
    return found.length > 1 && word === 'and'
      ? undefined
      : singleCondition({ attribute: 'tags.id', clause: 'nin', value: found })
  if (found.length === 1 || word === 'or')
    return singleCondition({ attribute: 'tags.id', clause: found.length === 1 ? 'eq' : 'in', value: found })
  return { criteria: found.map((tag) => ({ attribute: 'tags.id', clause: 'eq', value: [tag] })), joined: 'and' }
}

const TAGGED = ['tagged with', 'tagged as', 'tagged']
const HAVING = [
  'with the tags',
  'with the tag',
  'with tags',
  'with tag',
  'have the tags',
  'have the tag',
  'have tag',
  'has the tag',
  'has tag',
  'having the tag',
  'with the',
  'with',
  'have the',
  'have',
  'has the',
  'has',
  'having',
]
const LACKING = [
  'without the tags',
  'without the tag',
  'without tags',
  'without tag',
  'without the',
  'without',
  "don't have the tag",
  'do not have the tag',
  "don't have",
  'do not have',
  "doesn't have the tag",
  'does not have the tag',
  'not having the tag',
  'not having',
]

/** Reads a condition on tags: `tagged VIP or Gold`, `without the tag "Big Spender"`. */
export const readTagged: PhraseReader = (cursor, names) =>
  cursor.try(() => {
    const lacking = cursor.takeAny(LACKING)
    const negated =
      lacking === undefined &&
      cursor.try(() => (cursor.takeAny(NOT) && cursor.peek()?.word === 'tagged' ? true : undefined))
    const phrase = lacking ?? cursor.takeAny(TAGGED) ?? (negated ? undefined : cursor.takeAny(HAVING))
    if (phrase === undefined) return undefined
    const list = readTags(cursor, names)
    return list && tagCriteria(list, lacking !== undefined || negated === true)
  })
