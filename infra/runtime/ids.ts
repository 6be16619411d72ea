import { workspaces } from '../../domain/account/public.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import { type Ids, idMinter, OutOfNumbers } from '../../domain/kernel/values/ids.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'

interface IdsDeps {
  readonly log: EventLog
  /** Kinds whose ids are counted. All others have time-ordered ids. */
  readonly counted: ReadonlySet<string>
  /** Number of this process among those that mint ids. */
  readonly node: () => number
  readonly now: () => number
}

/** Largest counted id, because a client may hold ids in 32 bits. Larger ids of older installations stay as they are. */
const LARGEST = 2 ** 31 - 1

/** Numbers that a process leases at a time. Those that it does not use are lost. */
const BLOCK = 64

const counterOf = (kind: string): string => `id:${kind}`

/** Whether the events of a workspace are dated by a clock of its own. */
const hasOwnClock = async (log: EventLog, workspaceId: number | undefined): Promise<boolean> => {
  if (workspaceId === undefined) return false
  for await (const { data } of log.readStream(streamOf(workspaces, workspaceId), { limit: 1 }))
    return data.test === true
  return false
}

/** Returns a time after the newest event, so that ids keep ascending even if the clock was set back; 0 if unknown. */
const lastMoment = async (log: EventLog): Promise<number> => {
  const newest = await log.newest()
  if (!newest || (await hasOwnClock(log, newest.metadata.workspace_id))) return 0
  return Date.parse(newest.metadata.at) + 1
}

const checked = (kind: string, id: number): number => {
  if (id > LARGEST) throw new Error(`all ids of ${kind} are given`)
  return id
}

/** Counts in memory. The counters go into the log with the next append. */
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

/** Blocks that are being leased. */
interface Refilling {
  readonly blocks: number
  readonly done: Promise<void>
}

/** Counts by blocks of numbers that the log leases. A new block is requested before the last one is used up. */
const countedTogether = ({ counters }: EventLog): Ids => {
  const blocks = new Map<string, Block[]>()
  const refilling = new Map<string, Refilling>()
  const take = async (kind: string, size: number): Promise<void> => {
    const first = await counters.take(counterOf(kind), size)
    blocks.set(kind, [...(blocks.get(kind) ?? []), { next: first, end: first + size }])
  }
  /** Shares the lease that is under way, unless the caller needs more blocks than that brings. */
  const refill = (kind: string, times = 1): Promise<void> => {
    const pending = refilling.get(kind)
    if (pending && pending.blocks >= times) return pending.done
    const done = take(kind, BLOCK * times).finally(() => {
      if (refilling.get(kind)?.done === done) refilling.delete(kind)
    })
    refilling.set(kind, { blocks: times, done })
    return done
  }
  return {
    next(kind) {
      const available = (blocks.get(kind) ?? []).filter(({ next, end }) => next < end)
      blocks.set(kind, available)
      const [block] = available
      if (!block) throw new OutOfNumbers(kind)
      const id = checked(kind, block.next++)
      // The failure is ignored here: the next caller without a number requests a block itself.
      if (available.length === 1 && block.end - block.next < BLOCK / 2) refill(kind).catch(() => undefined)
      return id
    },
    refill,
  }
}

/** Returns the ids for the records of an installation. */
export const openIds = async ({ log, counted, node, now }: IdsDeps): Promise<Ids> => {
  const timeOrdered = idMinter(node, now, await lastMoment(log))
  const counting = log.counters.leased ? countedTogether(log) : await countedAlone(log)
  return {
    next: (kind) => (counted.has(kind) ? counting.next(kind) : timeOrdered()),
    refill: (kind, blocks) => counting.refill(kind, blocks),
  }
}
