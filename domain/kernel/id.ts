import { LRUCache } from 'lru-cache'
import Sqids, { defaultOptions } from 'sqids'

/** 2025-01-01T00:00:00Z: ids count milliseconds from here; 41 bits of them last until 2094. */
const EPOCH = 1_735_689_600_000
const NODES = 32
const SEQUENCES = 128

/** How many processes may mint ids on one log at a time. */
export const MAX_NODES = NODES

/**
 * Gives a function that mints ids: 53-bit integers, safe in JavaScript, ascending in order of creation (41 bits of
 * milliseconds, 5 of node, 7 of sequence). Never repeats, and never goes back when the clock does: it then runs ahead of it.
 *
 * @param node 0 to 31, held by one process at a time
 * @param notBefore milliseconds since 1970 that a former process of this node may have reached
 */
export const idMinter = (node: number, now: () => number, notBefore = 0): (() => number) => {
  if (!Number.isInteger(node) || node < 0 || node >= NODES) throw new RangeError(`node must be 0 to ${NODES - 1}`)
  let millisecond = Math.max(0, notBefore - EPOCH)
  let sequence = 0
  return () => {
    const current = now() - EPOCH
    if (current > millisecond) {
      millisecond = current
      sequence = 0
    } else if (++sequence === SEQUENCES) {
      millisecond++
      sequence = 0
    }
    return (millisecond * NODES + node) * SEQUENCES + sequence
  }
}

/** When an id was minted, in milliseconds since 1970. */
export const mintedAt = (id: number): number => Math.floor(id / (NODES * SEQUENCES)) + EPOCH

/** Translates between ids and public ids, which are the same number in an obscured, short spelling (design 4, Ids). */
export interface PublicIds {
  encode(id: number): string
  /** The id behind a public id, or `undefined` when the text is not one in its only valid spelling. */
  decode(text: string): number | undefined
  /** An id given in either form: integer, digits, or public id. `undefined` when it is neither. */
  parse(value: unknown): number | undefined
}

/** Finds every spelling that Sqids may object to, in a fifth of the time that its own search through the list takes. */
const OFFENSIVE = new RegExp([...defaultOptions.blocklist].filter((word) => /^[a-z]+$/.test(word)).join('|'))

/** Public ids that are kept: spelling one costs more than showing the record that has it. */
const SPELLED = 20_000

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Public ids over letters only, so that no public id can be taken for an integer.
 *
 * @param random bytes that shuffle the alphabet; the same for every process of an installation, for ever
 */
export const publicIds = (random: Uint8Array): PublicIds => {
  const alphabet = LETTERS.split('')
  for (let i = alphabet.length - 1; i > 0; i--) {
    const j = ((random[i % random.length] ?? 0) * 257 + i) % (i + 1)
    ;[alphabet[i], alphabet[j]] = [alphabet[j]!, alphabet[i]!]
  }
  const options = { alphabet: alphabet.join(''), minLength: 6 }
  const sqids = new Sqids(options)
  const unchecked = new Sqids({ ...options, blocklist: new Set() })
  const spell = (id: number) => {
    const text = unchecked.encode([id])
    return OFFENSIVE.test(text.toLowerCase()) ? sqids.encode([id]) : text
  }
  const spelled = new LRUCache<number, string>({ max: SPELLED })
  const encode = (id: number) => {
    const known = spelled.get(id)
    if (known !== undefined) return known
    const text = spell(id)
    spelled.set(id, text)
    return text
  }
  const decode = (text: string) => {
    if (text.length < 6 || text.length > 16 || !/^[a-zA-Z]+$/.test(text)) return undefined
    const [id, ...rest] = sqids.decode(text)
    return id !== undefined && Number.isSafeInteger(id) && rest.length === 0 && encode(id) === text ? id : undefined
  }
  const parse = (value: unknown) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
    if (typeof value !== 'string') return undefined
    if (/^\d{1,16}$/.test(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
    return decode(value)
  }
  return { encode, decode, parse }
}
