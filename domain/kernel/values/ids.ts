/** 2025-01-01T00:00:00Z, from which time-ordered ids count milliseconds. Their 41 bits last until 2094. */
const EPOCH = 1_735_689_600_000
const NODES = 32
const SEQUENCES = 128

/** Number of processes that may mint ids on one log at a time. */
export const MAX_NODES = NODES

/**
 * Returns a function that mints time-ordered ids, for records that clients never name by an integer. Ids are 53-bit integers, safe in JavaScript,
 * and ascend in order of creation (41 bits of milliseconds, 5 of node, 7 of sequence). They never repeat. When the clock is set back, ids run ahead
 * of it instead of descending.
 *
 * @param nodeNow returns the node number, 0 to 31, which only one process holds at a time
 * @param notBefore milliseconds since 1970 that an earlier process of this node may have reached
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

/** Returns the time at which an id was minted, in milliseconds since 1970. */
export const mintedAt = (id: number): number => Math.floor(id / (NODES * SEQUENCES)) + EPOCH

/** Returns the first time-ordered id that can be minted at a time. @param at milliseconds since 1970 */
export const firstIdAt = (at: number): number => Math.max(0, at - EPOCH) * NODES * SEQUENCES

/** Ids for new records: counted up from 1 for each kind, or time-ordered for kinds that clients never name by an integer. */
export interface Ids {
  /** Returns the next id of a kind. @throws {OutOfNumbers} when numbers are leased and none is left: see `withIds` */
  next(kind: string): number
  /** Leases more ids of a kind. @param blocks number of blocks to lease; default: one */
  refill(kind: string, blocks?: number): Promise<void>
}

/** Thrown when no leased number of a kind is left. */
export class OutOfNumbers extends Error {
  readonly kind: string

  constructor(kind: string) {
    super(`no ids of ${kind} are in hand`)
    this.kind = kind
  }
}

/** Runs work that draws ids before it changes anything. If the ids run out, it leases more, one block more each time, and runs the work again. */
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

/**
 * Returns one of the ids that a command brings for children that it may create.
 *
 * @throws {Error} when it brings too few: a record must never get the id 0
 */
export const idAt = (ids: readonly number[], index: number): number => {
  const id = ids[index]
  if (id === undefined) throw new Error(`the command brings ${ids.length} ids for new records, and needs more`)
  return id
}

/** Function that mints an id for a new record of the model of that name. */
export type MintId = (of: { readonly name: string }) => number

/** Returns a function that mints ids for models. It throws `OutOfNumbers` as `next` does. */
export const mintFrom =
  ({ next }: Pick<Ids, 'next'>): MintId =>
  ({ name }) =>
    next(name)

/** Returns a value of an event as an id; `null` when it is none. */
export const idIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)
