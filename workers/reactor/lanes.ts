import type { Write } from '../../domain/kernel/engine/write.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { LowWatermark } from './low-watermark.ts'
import type { Reaction, TaskPlace } from './reaction.ts'

/** A reaction to an event that is to be run. */
export interface Task {
  readonly reaction: Reaction
  readonly event: RecordedEvent
  /** Events that were appended together, where they are known. */
  readonly write?: Write
  /** When it was taken up, in milliseconds of `performance.now()`. */
  readonly since: number
  /** Attempts that have failed. */
  readonly attempts: number
  /** Whether it is in the reactor store, or is being written there. */
  isPending: boolean
  /** Watermark that waits until it is done or written down. */
  watermark: LowWatermark | undefined
  /** Whether the reactor store has a cursor of it. */
  keeps: boolean
}

/** Tasks that run in order, one after the other. In memory for as long as one of them waits or runs. */
export interface Lane extends TaskPlace {
  /** All lanes of the same reaction. */
  readonly lanes: Lanes
  readonly workspace: number | undefined
  /** Tasks in memory, in order; empty while `owes`. */
  queue: Task[]
  running: Task | undefined
  /** Whether it has its turn, from `next` until `release`. */
  busy: boolean
  /** Whether tasks of it are in the reactor store. New ones are then written down behind them. */
  hasPending: boolean
  /** Number of its writes to the reactor store that are under way. */
  writing: number
  /** While `owes`: when its first pending task is due, in milliseconds since 1970. */
  due: number
  /** Whether it waits for its turn in its group. */
  ready: boolean
}

interface ConcurrencyGroup {
  readonly name: string
  running: number
  readonly ready: Lane[]
}

/** Milliseconds since 1970, by the clock of a workspace. */
export type Clock = (workspaceId?: number) => number

/** The lanes of a reaction and its concurrency groups. Groups take turns, so that a busy one does not hold up the others. */
export class Lanes {
  readonly #reaction: Pick<Reaction, 'limitOfAll' | 'limit'>
  readonly #now: Clock
  readonly #lanes = new Map<string, Lane>()
  readonly #groups = new Map<string, ConcurrencyGroup>()
  /** Groups in which a lane waits and that may be below their limit. Those that had their turn last are at the end. */
  readonly #turns = new Set<ConcurrencyGroup>()
  #running = 0

  constructor(reaction: Pick<Reaction, 'limitOfAll' | 'limit'>, now: Clock) {
    this.#reaction = reaction
    this.#now = now
  }

  get running(): number {
    return this.#running
  }

  all(): Iterable<Lane> {
    return this.#lanes.values()
  }

  find(name: string): Lane | undefined {
    return this.#lanes.get(name)
  }

  lane({ lane: name, group }: TaskPlace, workspace: number | undefined): Lane {
    const known = this.#lanes.get(name)
    if (known) return known
    const lane: Lane = {
      lanes: this,
      lane: name,
      group,
      workspace,
      queue: [],
      running: undefined,
      busy: false,
      hasPending: false,
      writing: 0,
      due: 0,
      ready: false,
    }
    this.#lanes.set(name, lane)
    return lane
  }

  /** Number of lanes that wait in a group. */
  waitingCount(group: string): number {
    return this.#groups.get(group)?.ready.length ?? 0
  }

  /** Whether the limit of a group is above zero at present. */
  isOpen(group: string): boolean {
    return this.#reaction.limit(group) > 0
  }

  /** Lets a lane wait for its turn if it may have something to do. Does nothing before its first pending task is due. */
  offer(lane: Lane): void {
    if (lane.ready || lane.busy || !this.#isDue(lane)) return
    lane.ready = true
    const group = this.#groupOf(lane)
    group.ready.push(lane)
    this.#turns.add(group)
  }

  /** Gives a lane its turn before all others. @returns false when it is not due, or the limits do not allow it */
  take(lane: Lane): boolean {
    const group = this.#groupOf(lane)
    if (lane.busy || !this.#isDue(lane) || group.running >= this.#reaction.limit(group.name)) return false
    if (lane.ready) group.ready.splice(group.ready.indexOf(lane), 1)
    this.#give(lane, group)
    return true
  }

  /** Tells whether a task of a workspace runs or could begin, and when the first of its later tasks is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const own = [...this.#lanes.values()].filter((lane) => lane.workspace === workspace)
    // A group with a limit of zero opens by the clock of the machine, so what waits in it does not count.
    const isBusy = (lane: Lane) =>
      lane.busy ||
      lane.writing > 0 ||
      ((lane.queue.length > 0 || (lane.hasPending && this.#isDue(lane))) && this.isOpen(lane.group))
    const dues = own.flatMap((lane) => (lane.hasPending && !this.#isDue(lane) ? lane.due : []))
    return { busy: own.some(isBusy), due: dues.length === 0 ? undefined : Math.min(...dues) }
  }

  /** Offers the lanes whose tasks have become due, and tries the groups again that were at their limit. */
  wake(): void {
    for (const lane of this.#lanes.values()) if (lane.hasPending) this.offer(lane)
    for (const group of this.#groups.values()) if (group.ready.length > 0) this.#turns.add(group)
  }

  /** Returns the lane whose turn it is, if the limits allow it. The lane counts against them until it is released. */
  next(): Lane | undefined {
    if (this.#turns.size === 0 || this.#running >= this.#reaction.limitOfAll) return undefined
    for (const group of this.#turns) {
      this.#turns.delete(group)
      if (group.running >= this.#reaction.limit(group.name)) continue
      const lane = group.ready.shift()
      if (!lane) continue
      if (group.ready.length > 0) this.#turns.add(group)
      this.#give(lane, group)
      return lane
    }
    return undefined
  }

  #groupOf({ group: name }: Lane): ConcurrencyGroup {
    const group = this.#groups.get(name) ?? { name, running: 0, ready: [] }
    this.#groups.set(name, group)
    return group
  }

  #give(lane: Lane, group: ConcurrencyGroup): void {
    group.running++
    this.#running++
    lane.ready = false
    lane.busy = true
  }

  /** Ends the turn of a lane. */
  release(lane: Lane): void {
    const group = this.#groups.get(lane.group)!
    group.running--
    this.#running--
    lane.running = undefined
    lane.busy = false
    if (lane.queue.length > 0 || lane.hasPending) this.offer(lane)
    else if (lane.writing === 0) this.#lanes.delete(lane.lane)
    if (group.ready.length > 0) this.#turns.add(group)
    else if (group.running === 0) this.#groups.delete(lane.group)
  }

  #isDue({ hasPending: owes, due, workspace }: Lane): boolean {
    return !owes || due <= this.#now(workspace)
  }
}
