import Sqids, { defaultOptions } from 'sqids'
import { sqidsSpelling } from './sqids-spelling.ts'

/** Public ids of one kind: the same number in an obscured, short spelling. */
export interface PublicIdsOfKind {
  encode(id: number): string
  /** The id behind a public id, or `undefined` when the text is not one of this kind in its only valid spelling. */
  decode(text: string): number | undefined
  /** An id given in either form: integer, digits, or public id. `undefined` when it is neither. */
  parse(value: unknown): number | undefined
}

/** Translates between ids and public ids, each kind with an alphabet and a mark of its own (design 4, Ids). */
export interface PublicIds {
  of(kind: string): PublicIdsOfKind
}

/** Finds every spelling that Sqids may object to, in a fifth of the time that its own search through the list takes. */
const OFFENSIVE = new RegExp([...defaultOptions.blocklist].filter((word) => /^[a-z]+$/.test(word)).join('|'))

/** Letters only, so that no public id can be taken for an integer. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKS = 2500
const SHORTEST = 6
const LONGEST = 24

/** What a text must look like to be an id in either form, as a pattern. */
export const EITHER_FORM = `^(\\d{1,16}|[A-Za-z]{${SHORTEST},${LONGEST}})$`

const alphabetFrom = (random: Uint8Array): string => {
  const alphabet = LETTERS.split('')
  for (let i = alphabet.length - 1; i > 0; i--) {
    const j = ((random[i % random.length] ?? 0) * 257 + i) % (i + 1)
    ;[alphabet[i], alphabet[j]] = [alphabet[j]!, alphabet[i]!]
  }
  return alphabet.join('')
}

const codec = (random: Uint8Array): PublicIdsOfKind => {
  const options = { alphabet: alphabetFrom(random), minLength: SHORTEST }
  // Spelled with every id, so that one of another kind is recognised: alphabets alone leave some that read as both.
  const mark = ((random[0] ?? 0) * 256 + (random[1] ?? 0)) % MARKS
  const sqids = new Sqids(options)
  const unchecked = new Sqids({ ...options, blocklist: new Set() })
  const quickly = sqidsSpelling(options.alphabet, mark, SHORTEST)
  /** Few ids are so small. */
  const short = new Map<number, string>()
  const spelled = (id: number): string => {
    const text = short.get(id) ?? unchecked.encode([id, mark])
    short.set(id, text)
    return text
  }
  const encode = (id: number) => {
    const text = quickly(id) ?? spelled(id)
    return OFFENSIVE.test(text.toLowerCase()) ? sqids.encode([id, mark]) : text
  }
  const decode = (text: string) => {
    if (text.length < SHORTEST || text.length > LONGEST || !/^[a-zA-Z]+$/.test(text)) return undefined
    const [id, marked, ...rest] = sqids.decode(text)
    const ours = id !== undefined && Number.isSafeInteger(id) && marked === mark && rest.length === 0
    return ours && encode(id) === text ? id : undefined
  }
  const parse = (value: unknown) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
    if (typeof value !== 'string') return undefined
    if (/^\d{1,16}$/.test(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
    return decode(value)
  }
  return { encode, decode, parse }
}

/** @param random bytes that are the same for a kind in every process of an installation, for ever, and others for every other kind */
export const publicIds = (random: (kind: string) => Uint8Array): PublicIds => {
  const kinds = new Map<string, PublicIdsOfKind>()
  return {
    of(kind) {
      const known = kinds.get(kind) ?? codec(random(kind))
      kinds.set(kind, known)
      return known
    },
  }
}
