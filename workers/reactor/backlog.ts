import { isOneWrite } from '../../domain/kernel/engine/write.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { GroupBehind, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { LowWatermark } from './low-watermark.ts'
import type { Reaction, TaskPlace } from './reaction.ts'

/** Lanes that wait at a group, or tasks in one of them, before no more are taken up. */
const CROWDED = 256
/** Events read at once. */
const PAGE = 256

/** A group that did not have room for everything: what comes behind its place in the log waits there. */
interface Late {
  readonly reaction: Reaction
  readonly group: string
  /** What of it was taken up and is neither done nor written down. */
  readonly horizon: LowWatermark
  /** Position up to which the reactor takes up what is for it. */
  from: number
  /** Position up to which everything was taken up. */
  cursor: number
  /** The last event that was taken up. */
  last: RecordedEvent | undefined
  /** What was read behind it, and had no room. */
  read: readonly RecordedEvent[]
  isReading: boolean
  /** Whether it takes up what comes as others do. */
  isLive: boolean
  /** Its place in the books. */
  written: number | undefined
  /** Whose it is; not known after a start until something of it is read. */
  workspace: number | undefined
}

interface BacklogDeps {
  readonly log: Pick<EventLog, 'readAll'>
  /** Position up to which the reactor has taken events up. */
  readonly seen: () => number
  /** How many lanes wait at a group, and whether it lets anything through at present. */
  readonly crowd: (reaction: Reaction, group: string) => number
  readonly isOpen: (reaction: Reaction, group: string) => boolean
  readonly concerns: (reaction: Reaction, event: RecordedEvent) => boolean
  /** @returns whether there was room */
  readonly admit: (reaction: Reaction, place: TaskPlace, event: RecordedEvent, holds: LowWatermark) => boolean
  /** Told when some have been. */
  readonly onAdmitted: (reaction: Reaction) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * What waits for room without rows: a group that is full keeps its own place in the log, and reads on from there when it has room, until it has
 * caught up with the reactor (design 7).
 */
export class Backlog {
  readonly #deps: BacklogDeps
  readonly #late = new Map<string, Late>()
  #stopped = false

  constructor(deps: BacklogDeps) {
    this.#deps = deps
  }

  /** Whether so many wait at a group or in a lane that what comes has to wait in the log. */
  static isCrowded(count: number): boolean {
    return count >= CROWDED
  }

  /** Whether what comes for a group at a position is read from the log later. */
  isBehind(group: string, position: number): boolean {
    const late = this.#late.get(group)
    return late !== undefined && !late.isLive && position > late.from
  }

  /**
   * A group has no room for an event.
   *
   * @param before position of the one before it
   * @returns what is to be written down before the reactor may pass it; `undefined`: nothing
   */
  fallBehind(reaction: Reaction, group: string, { metadata }: RecordedEvent, before: number): StoreChange | undefined {
    const known = this.#late.get(group)
    if (known?.isLive) {
      known.isLive = false
      known.from = before
      this.#reach(known, before)
      return undefined
    }
    const { workspace_id: workspace } = metadata
    const late = { ...this.#begin(reaction, group, before), written: before, workspace }
    this.#late.set(group, late)
    return entryOf(late, late.written)
  }

  /** A group was behind when the process before ended. */
  resume(reaction: Reaction, { gate: group, after }: GroupBehind): void {
    this.#late.set(group, { ...this.#begin(reaction, group, after), written: after })
  }

  /** Whether something of a workspace may be read from the log yet. */
  isWaiting(workspace: number): boolean {
    return [...this.#late.values()].some(
      ({ isLive, reaction, group, workspace: of = workspace }) =>
        !isLive && of === workspace && this.#deps.isOpen(reaction, group),
    )
  }

  /** The reactor has seen more: what was read ahead of it may go on. */
  seenMore(): void {
    for (const late of this.#late.values()) this.#readOn(late)
  }

  /** There may be room at a group. */
  roomAt(group: string): void {
    const late = this.#late.get(group)
    if (late) this.#readOn(late)
  }

  /** @returns how far each group has come, as far as that is not in the books */
  beat(): readonly StoreChange[] {
    const entries: StoreChange[] = []
    this.seenMore()
    for (const late of this.#late.values()) {
      const isThrough = late.isLive && late.horizon.size === 0
      const after = isThrough ? null : late.horizon.checkpoint
      if (isThrough) this.#late.delete(late.group)
      if (after === late.written) continue
      late.written = after ?? undefined
      entries.push(entryOf(late, after))
    }
    return entries
  }

  stop(): void {
    this.#stopped = true
  }

  #begin(reaction: Reaction, group: string, after: number): Late {
    const horizon = new LowWatermark(after)
    return {
      reaction,
      group,
      horizon,
      from: after,
      cursor: after,
      last: undefined,
      read: [],
      isReading: false,
      isLive: false,
      written: undefined,
      workspace: undefined,
    }
  }

  #hasRoom({ reaction, group, cursor }: Late): boolean {
    const { crowd, isOpen, seen } = this.#deps
    // After a start the reactor first takes up what is before the place of the group.
    if (this.#stopped || cursor > seen()) return false
    return isOpen(reaction, group) && crowd(reaction, group) < CROWDED / 2
  }

  #readOn(late: Late): void {
    if (late.isReading || late.isLive || !this.#hasRoom(late)) return
    late.isReading = true
    this.#read(late)
      .catch((error: unknown) => {
        // While a store is away it is tried again with each beat.
        if (!isPassing(error)) this.#deps.onFailure(error)
      })
      .finally(() => {
        late.isReading = false
      })
  }

  async #read(late: Late): Promise<void> {
    const { log, seen, onAdmitted } = this.#deps
    while (this.#hasRoom(late)) {
      // What the reactor sees while this reads may be behind the end of the page.
      const known = seen()
      const page: RecordedEvent[] = []
      if (late.read.length === 0)
        for await (const event of log.readAll({ after: late.cursor, limit: PAGE })) page.push(event)
      const isLast = late.read.length === 0 && page.length < PAGE
      late.read = this.#takeUp(late, late.read.length > 0 ? late.read : page)
      onAdmitted(late.reaction)
      if (late.read.length > 0) return
      if (isLast) this.#reach(late, known)
      if (late.cursor < seen()) continue
      late.isLive = true
      return
    }
  }

  /** @returns what there was no room for, or what the reactor has not seen */
  #takeUp(late: Late, page: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const { concerns, admit, seen } = this.#deps
    const { reaction, group, horizon } = late
    for (const [index, event] of page.entries()) {
      if (event.position > seen()) return page.slice(index)
      const isTold = reaction.toWrites && late.last && isOneWrite(late.last, event)
      const places = !isTold && concerns(reaction, event) ? reaction.places(event) : []
      const place = places.find((one) => one.group === group)
      if (place && !admit(reaction, place, event, horizon)) return page.slice(index)
      if (place) late.last = event
      if (place) late.workspace ??= event.metadata.workspace_id
      this.#reach(late, event.position)
    }
    return []
  }

  #reach(late: Late, position: number): void {
    late.cursor = Math.max(late.cursor, position)
    late.horizon.see(position)
  }
}

const entryOf = ({ reaction, group }: Late, after: number | null): StoreChange => ({
  behind: group,
  reaction: reaction.name,
  after,
})
