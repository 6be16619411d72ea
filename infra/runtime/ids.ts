import { workspaces } from '../../domain/account/public.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import { type Ids, idMinter, OutOfNumbers } from '../../domain/kernel/values/ids.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'

interface IdsWanted {
  readonly log: EventLog
  /** Kinds whose ids are counted; those of all others are time-ordered. */
  readonly counted: ReadonlySet<string>
  /** Of this process among those that mint. */
  readonly node: () => number
  readonly now: () => number
}

/** Older installations have larger ids, which are left standing: a client may hold an id in 32 bits. */
const LARGEST = 2 ** 31 - 1

/** Numbers that a process takes at a time where they are leased; what it does not use lapses. */
const BLOCK = 64

const counterOf = (kind: string): string => `id:${kind}`

/** Whether events of a workspace say when they happened by a clock of its own. */
const hasOwnClock = async (log: EventLog, workspaceId: number | undefined): Promise<boolean> => {
  if (workspaceId === undefined) return false
  for await (const { data } of log.readStream(streamOf(workspaces, workspaceId), { limit: 1 }))
    return data.test === true
  return false
}

/** When the newest event of the log happened, so that ids go on ascending even if the clock has been set back. */
const lastMoment = async (log: EventLog): Promise<number> => {
  const newest = await log.newest()
  if (!newest || (await hasOwnClock(log, newest.metadata.workspace_id))) return 0
  return Date.parse(newest.metadata.at) + 1
}

const checked = (kind: string, id: number): number => {
  if (id > LARGEST) throw new Error(`all ids of ${kind} are given`)
  return id
}

/** Counts in memory; how far goes into the log with what is appended next. */
const countedAlone = async ({ counters }: EventLog): Promise<Ids> => {
  const last = new Map<string, number>()
  for await (const { counter, value } of counters.all()) last.set(counter, value)
  return {
    next(kind) {
      const counter = counterOf(kind)
      const id = checked(kind, (last.get(counter) ?? 0) + 1)
      last.set(counter, id)
      void counters.raise(counter, id)
      return id
    },
    refill: async () => undefined,
  }
}

interface Block {
  next: number
  readonly end: number
}

/** Numbers that are on their way. */
interface Refilling {
  readonly blocks: number
  readonly here: Promise<void>
}

/** Counts by blocks of numbers that the log leases; a new one is on its way before the last is used up. */
const countedTogether = ({ counters }: EventLog): Ids => {
  const blocks = new Map<string, Block[]>()
  const refilling = new Map<string, Refilling>()
  const take = async (kind: string, size: number): Promise<void> => {
    const first = await counters.take(counterOf(kind), size)
    blocks.set(kind, [...(blocks.get(kind) ?? []), { next: first, end: first + size }])
  }
  /** Whoever needs more than what is on its way does not make do with that; all others share it. */
  const refill = (kind: string, times = 1): Promise<void> => {
    const under = refilling.get(kind)
    if (under && under.blocks >= times) return under.here
    const here = take(kind, BLOCK * times).finally(() => {
      if (refilling.get(kind)?.here === here) refilling.delete(kind)
    })
    refilling.set(kind, { blocks: times, here })
    return here
  }
  return {
    next(kind) {
      const held = (blocks.get(kind) ?? []).filter(({ next, end }) => next < end)
      blocks.set(kind, held)
      const [block] = held
      if (!block) throw new OutOfNumbers(kind)
      const id = checked(kind, block.next++)
      // Whoever needs one meets the failure itself.
      if (held.length === 1 && block.end - block.next < BLOCK / 2) refill(kind).catch(() => undefined)
      return id
    },
    refill,
  }
}

/** Ids for the records of an installation. */
export const openIds = async ({ log, counted, node, now }: IdsWanted): Promise<Ids> => {
  const timeOrdered = idMinter(node, now, await lastMoment(log))
  const counting = log.counters.leased ? countedTogether(log) : await countedAlone(log)
  return {
    next: (kind) => (counted.has(kind) ? counting.next(kind) : timeOrdered()),
    refill: (kind, blocks) => counting.refill(kind, blocks),
  }
}
