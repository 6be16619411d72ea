import type { Write } from '../../domain/kernel/engine/write.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { LowWatermark } from './low-watermark.ts'
import type { Reaction, TaskPlace } from './reaction.ts'

/** A reaction to an event that is to be carried out. */
export interface Task {
  readonly reaction: Reaction
  readonly event: RecordedEvent
  /** The events that were appended together with it, where they are known. */
  readonly write?: Write
  /** When it was taken up, in milliseconds of the process. */
  readonly since: number
  /** Tries that have failed. */
  readonly attempts: number
  /** Whether it is in the books, or on its way there. */
  owed: boolean
  /** What waits for it to be done or written down. */
  holds: LowWatermark | undefined
  /** Whether how far it has got is in the books. */
  keeps: boolean
}

/** What goes in order: one task after the other. In memory for as long as something of it waits or is under way. */
export interface Lane extends TaskPlace {
  /** Those that it is one of. */
  readonly among: Lanes
  readonly workspace: number | undefined
  /** In order; empty while it owes. */
  queue: Task[]
  running: Task | undefined
  /** Whether it has its turn. */
  busy: boolean
  /** Something of it is in the books: whatever comes is written down behind it. */
  owes: boolean
  /** Rows of it that are being written. */
  writing: number
  /** Where it owes: not before this time, in milliseconds since 1970. */
  due: number
  /** Whether it waits for room. */
  ready: boolean
}

interface ConcurrencyGroup {
  readonly name: string
  running: number
  readonly ready: Lane[]
}

/** Milliseconds since 1970, by the clock of a workspace. */
export type Clock = (workspaceId?: number) => number

/** The lanes of a reaction and its groups: groups take turns, so that one with much to do holds up no other. */
export class Lanes {
  readonly #reaction: Pick<Reaction, 'limitOfAll' | 'limit'>
  readonly #now: Clock
  readonly #lanes = new Map<string, Lane>()
  readonly #groups = new Map<string, ConcurrencyGroup>()
  /** Gates at which a lane waits and that may have room, those that had their turn last at the end. */
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
      among: this,
      lane: name,
      group,
      workspace,
      queue: [],
      running: undefined,
      busy: false,
      owes: false,
      writing: 0,
      due: 0,
      ready: false,
    }
    this.#lanes.set(name, lane)
    return lane
  }

  /** How many lanes wait at a group. */
  crowd(group: string): number {
    return this.#groups.get(group)?.ready.length ?? 0
  }

  /** Whether a group lets anything through at present. */
  isOpen(group: string): boolean {
    return this.#reaction.limit(group) > 0
  }

  /** A lane has something to do, or may have; nothing is done before its time. */
  offer(lane: Lane): void {
    if (lane.ready || lane.busy || !this.#isDue(lane)) return
    lane.ready = true
    const group = this.#groups.get(lane.group) ?? { name: lane.group, running: 0, ready: [] }
    this.#groups.set(lane.group, group)
    group.ready.push(lane)
    this.#turns.add(group)
  }

  /** Whether something of a workspace is under way or could begin, and when the first of what it owes otherwise is due. */
  waiting(workspace: number): { readonly busy: boolean; readonly due: number | undefined } {
    const own = [...this.#lanes.values()].filter((lane) => lane.workspace === workspace)
    // What waits at a group that lets nothing through begins when that opens, by the clock of the machine.
    const isBusy = (lane: Lane) =>
      lane.busy ||
      lane.writing > 0 ||
      ((lane.queue.length > 0 || (lane.owes && this.#isDue(lane))) && this.isOpen(lane.group))
    const dues = own.flatMap((lane) => (lane.owes && !this.#isDue(lane) ? lane.due : []))
    return { busy: own.some(isBusy), due: dues.length === 0 ? undefined : Math.min(...dues) }
  }

  /** Offers the lanes whose time has come, and tries the groups that had no room. */
  wake(): void {
    for (const lane of this.#lanes.values()) if (lane.owes) this.offer(lane)
    for (const group of this.#groups.values()) if (group.ready.length > 0) this.#turns.add(group)
  }

  /** The lane whose turn it is, if there is room for it; it holds its place until it is released. */
  next(): Lane | undefined {
    if (this.#turns.size === 0 || this.#running >= this.#reaction.limitOfAll) return undefined
    for (const group of this.#turns) {
      this.#turns.delete(group)
      if (group.running >= this.#reaction.limit(group.name)) continue
      const lane = group.ready.shift()
      if (!lane) continue
      if (group.ready.length > 0) this.#turns.add(group)
      group.running++
      this.#running++
      lane.ready = false
      lane.busy = true
      return lane
    }
    return undefined
  }

  /** The lane's turn is over. */
  release(lane: Lane): void {
    const group = this.#groups.get(lane.group)!
    group.running--
    this.#running--
    lane.running = undefined
    lane.busy = false
    if (lane.queue.length > 0 || lane.owes) this.offer(lane)
    else if (lane.writing === 0) this.#lanes.delete(lane.lane)
    if (group.ready.length > 0) this.#turns.add(group)
    else if (group.running === 0) this.#groups.delete(lane.group)
  }

  #isDue({ owes, due, workspace }: Lane): boolean {
    return !owes || due <= this.#now(workspace)
  }
}
