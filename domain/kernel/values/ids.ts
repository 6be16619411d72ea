/** 2025-01-01T00:00:00Z: ids count milliseconds from here; 41 bits of them last until 2094. */
const EPOCH = 1_735_689_600_000
const NODES = 32
const SEQUENCES = 128

/** How many processes may mint ids on one log at a time. */
export const MAX_NODES = NODES

/**
 * Gives a function that mints time-ordered ids, for what clients never name by an integer: 53-bit integers, safe in JavaScript, ascending in order of creation (41 bits of
 * milliseconds, 5 of node, 7 of sequence). Never repeats, and never goes back when the clock does: it then runs ahead of it.
 *
 * @param nodeNow 0 to 31, held by one process at a time
 * @param notBefore milliseconds since 1970 that a former process of this node may have reached
 */
export const idMinter = (nodeNow: () => number, now: () => number, notBefore = 0): (() => number) => {
  let millisecond = Math.max(0, notBefore - EPOCH)
  let sequence = 0
  return () => {
    const node = nodeNow()
    if (!Number.isInteger(node) || node < 0 || node >= NODES) throw new RangeError(`node must be 0 to ${NODES - 1}`)
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

/** Ids for records that are to be made: counted up from 1 for each kind, or time-ordered where clients never see them (design 4, Ids). */
export interface Ids {
  /** The next id of a kind. @throws {OutOfNumbers} where numbers are leased and none is in hand: see `withIds` */
  next(kind: string): number
  /** Sees to it that there are ids of a kind again. @param blocks the more, the more ids are drawn at once; default: one */
  refill(kind: string, blocks?: number): Promise<void>
}

/** No number of a kind is in hand. */
export class OutOfNumbers extends Error {
  readonly kind: string

  constructor(kind: string) {
    super(`no ids of ${kind} are in hand`)
    this.kind = kind
  }
}

/** Does something that draws ids before it changes anything, and does it again when there were too few: each time with more in hand. */
export const withIds = async <T>(ids: Ids, work: () => T | Promise<T>): Promise<T> => {
  for (let blocks = 1; ; blocks++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OutOfNumbers)) throw error
      await ids.refill(error.kind, blocks)
    }
  }
}

/** Mints an id for a new record of a kind, which its model names. */
export type MintId = (of: { readonly name: string }) => number

/** Mints ids out of those in hand. */
export const mintFrom =
  ({ next }: Pick<Ids, 'next'>): MintId =>
  ({ name }) =>
    next(name)
