import Sqids, { defaultOptions } from 'sqids'
import { sqidsSpelling } from './sqids-spelling.ts'

/** Public ids of one kind: the ids in a short, obscured spelling. */
export interface PublicIdsOfKind {
  encode(id: number): string
  /** Returns the id of a public id, or `undefined` unless the text is the only valid spelling of one of this kind. */
  decode(text: string): number | undefined
  /** Returns an id that is given as an integer, as digits or as a public id; `undefined` for anything else. */
  parse(value: unknown): number | undefined
}

/** Converts between ids and public ids. Each kind has its own alphabet and its own mark. */
export interface PublicIds {
  of(kind: string): PublicIdsOfKind
}

/** Matches every text that Sqids might block, in a fifth of the time of its own search. */
const OFFENSIVE = new RegExp([...defaultOptions.blocklist].filter((word) => /^[a-z]+$/.test(word)).join('|'))

/** Letters only, so that no public id can be taken for an integer. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKS = 2500
const SHORTEST = 6
const LONGEST = 24

/** Pattern of an id in either form. */
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
  // Encoded with every id, so that ids of other kinds are recognised. Different alphabets alone leave texts that are valid for two kinds.
  const mark = ((random[0] ?? 0) * 256 + (random[1] ?? 0)) % MARKS
  const sqids = new Sqids(options)
  const unchecked = new Sqids({ ...options, blocklist: new Set() })
  const spelling = sqidsSpelling(options.alphabet, mark, SHORTEST)
  /** Cache of public ids that need padding. Only small ids do, so it stays small. */
  const padded = new Map<number, string>()
  const spellPadded = (id: number): string => {
    const text = padded.get(id) ?? unchecked.encode([id, mark])
    padded.set(id, text)
    return text
  }
  const encode = (id: number) => {
    const text = spelling.encode(id) ?? spellPadded(id)
    return OFFENSIVE.test(text.toLowerCase()) ? sqids.encode([id, mark]) : text
  }
  const decode = (text: string) => {
    if (text.length < SHORTEST || text.length > LONGEST || !/^[a-zA-Z]+$/.test(text)) return undefined
    const id = spelling.decode(text)
    return id !== undefined && encode(id) === text ? id : undefined
  }
  const parse = (value: unknown) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
    if (typeof value !== 'string') return undefined
    if (/^\d{1,16}$/.test(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
    return decode(value)
  }
  return { encode, decode, parse }
}

/** Makes public ids. @param random bytes for a kind, which never change in an installation and differ from those of other kinds */
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
