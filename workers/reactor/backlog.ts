import { isOneWrite } from '../../domain/kernel/engine/write.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { LaggingGroup, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { LowWatermark } from './low-watermark.ts'
import type { Reaction, TaskPlace } from './reaction.ts'
import { Stretches } from './stretches.ts'

/** Number of waiting lanes in a group, or of tasks in one lane, at which no more tasks are taken up. */
const CROWDED = 256
/** Events read at once. */
const PAGE = 256

/** A group that was full. Its events after its own position wait in the log. */
interface GroupBehind {
  readonly reaction: Reaction
  readonly group: string
  /** Watermark of its tasks that are neither done nor written down. */
  readonly watermark: LowWatermark
  /** Position up to which the reactor itself takes up its events. */
  from: number
  /** Position up to which all of its events were taken up. */
  cursor: number
  /** Where in the log its events wait. */
  readonly waiting: Stretches
  /** Last event that was taken up. */
  last: RecordedEvent | undefined
  /** Events that were read after the cursor and could not be taken up yet. */
  read: readonly RecordedEvent[]
  isReading: boolean
  /** Whether the reactor itself takes up new events for it again. */
  isLive: boolean
  /** Its position in the reactor store. */
  written: number | undefined
  /** Its workspace; unknown after a start until one of its events is read. */
  workspace: number | undefined
}

interface BacklogDeps {
  readonly log: Pick<EventLog, 'readAll'>
  /** Position up to which the reactor has taken up events. */
  readonly seen: () => number
  /** Number of lanes that wait in a group. */
  readonly crowd: (reaction: Reaction, group: string) => number
  /** Whether the limit of a group is above zero at present. */
  readonly isOpen: (reaction: Reaction, group: string) => boolean
  readonly concerns: (reaction: Reaction, event: RecordedEvent) => boolean
  /** @returns whether the event was taken up */
  readonly admit: (reaction: Reaction, place: TaskPlace, event: RecordedEvent, watermark: LowWatermark) => boolean
  /** Called after events may have been admitted. */
  readonly onAdmitted: (reaction: Reaction) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Lets the tasks of full groups wait in the log, without rows in the reactor store. A full group keeps its own position in
 * the log. It reads on from there when it has capacity, until it has caught up with the reactor.
 */
export class Backlog {
  readonly #deps: BacklogDeps
  readonly #lagging = new Map<string, GroupBehind>()
  #stopped = false

  constructor(deps: BacklogDeps) {
    this.#deps = deps
  }

  /** Whether so many wait in a group or a lane that further events must wait in the log. */
  static isCrowded(count: number): boolean {
    return count >= CROWDED
  }

  /**
   * Leaves an event to a group that is behind, which reads it from the log later.
   *
   * @param before position of the event before it
   * @returns false when the group is not behind
   */
  leave(group: string, { position }: RecordedEvent, before: number): boolean {
    const lagging = this.#lagging.get(group)
    if (!lagging || lagging.isLive || position <= lagging.from) return false
    lagging.waiting.note(before, position)
    return true
  }

  /**
   * Notes that a group is full and cannot take up an event.
   *
   * @param before position of the event before it
   * @returns the change to write before the checkpoint may pass the event; `undefined`: none
   */
  fallBehind(reaction: Reaction, group: string, event: RecordedEvent, before: number): StoreChange | undefined {
    const known = this.#lagging.get(group)
    if (known?.isLive) {
      known.isLive = false
      known.from = before
      this.#reach(known, before)
      known.waiting.note(before, event.position)
      return undefined
    }
    const { workspace_id: workspace } = event.metadata
    const lagging = { ...this.#begin(reaction, group, before), written: before, workspace }
    lagging.waiting.note(before, event.position)
    this.#lagging.set(group, lagging)
    return entryOf(lagging, lagging.written)
  }

  /** Restores a group that was behind when the previous process ended. */
  resume(reaction: Reaction | undefined, { gate: group, after }: LaggingGroup): void {
    if (!reaction) return
    const lagging = { ...this.#begin(reaction, group, after), written: after }
    // Which of the events before the checkpoint are its own is not known any more.
    const checkpoint = this.#deps.seen()
    if (after < checkpoint) lagging.waiting.note(after, checkpoint)
    this.#lagging.set(group, lagging)
  }

  /** Whether events of a workspace may still wait in the log. */
  isWaiting(workspace: number): boolean {
    return [...this.#lagging.values()].some(
      ({ isLive, reaction, group, workspace: of = workspace }) =>
        !isLive && of === workspace && this.#deps.isOpen(reaction, group),
    )
  }

  /** Lets groups continue that had read further than the reactor, which has now seen more. */
  seenMore(): void {
    for (const lagging of this.#lagging.values()) this.#readOn(lagging)
  }

  /** Lets a group continue that may have capacity again. */
  roomAt(group: string): void {
    const lagging = this.#lagging.get(group)
    if (lagging) this.#readOn(lagging)
  }

  /** @returns the position of each group, where it differs from the reactor store */
  beat(): readonly StoreChange[] {
    const entries: StoreChange[] = []
    this.seenMore()
    for (const lagging of this.#lagging.values()) {
      const isThrough = lagging.isLive && lagging.watermark.size === 0
      const after = isThrough ? null : lagging.watermark.checkpoint
      if (isThrough) this.#lagging.delete(lagging.group)
      if (after === lagging.written) continue
      lagging.written = after ?? undefined
      entries.push(entryOf(lagging, after))
    }
    return entries
  }

  stop(): void {
    this.#stopped = true
  }

  #begin(reaction: Reaction, group: string, after: number): GroupBehind {
    const watermark = new LowWatermark(after)
    return {
      reaction,
      group,
      watermark,
      from: after,
      cursor: after,
      waiting: new Stretches(),
      last: undefined,
      read: [],
      isReading: false,
      isLive: false,
      written: undefined,
      workspace: undefined,
    }
  }

  #hasCapacity({ reaction, group, cursor }: GroupBehind): boolean {
    const { crowd, isOpen, seen } = this.#deps
    // After a start the reactor first takes up the events before the position of the group.
    if (this.#stopped || cursor > seen()) return false
    return isOpen(reaction, group) && crowd(reaction, group) < CROWDED / 2
  }

  #readOn(lagging: GroupBehind): void {
    if (lagging.isReading || lagging.isLive || !this.#hasCapacity(lagging)) return
    lagging.isReading = true
    this.#read(lagging)
      .catch((error: unknown) => {
        // While a store is unavailable, the next beat tries again.
        if (!isPassing(error)) this.#deps.onFailure(error)
      })
      .finally(() => {
        lagging.isReading = false
      })
  }

  async #read(lagging: GroupBehind): Promise<void> {
    const { log, seen, onAdmitted } = this.#deps
    while (this.#hasCapacity(lagging)) {
      // While this reads, the reactor may see events that come after the end of the page.
      const known = seen()
      const next = lagging.waiting.next(lagging.cursor)
      if (next === undefined) return this.#catchUp(lagging, known)
      if (lagging.read.length === 0) this.#reach(lagging, next)
      const page: RecordedEvent[] = []
      if (lagging.read.length === 0)
        for await (const event of log.readAll({ after: lagging.cursor, limit: PAGE })) page.push(event)
      const isLast = lagging.read.length === 0 && page.length < PAGE
      lagging.read = this.#takeUp(lagging, lagging.read.length > 0 ? lagging.read : page)
      onAdmitted(lagging.reaction)
      if (lagging.read.length > 0) return
      if (isLast) this.#reach(lagging, known)
    }
  }

  /** Lets the reactor itself take up the events of a group again. */
  #catchUp(lagging: GroupBehind, seen: number): void {
    lagging.read = []
    this.#reach(lagging, seen)
    lagging.isLive = true
  }

  /** @returns events that could not be taken up, or that the reactor has not seen */
  #takeUp(lagging: GroupBehind, page: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const { concerns, admit, seen } = this.#deps
    const { reaction, group, watermark } = lagging
    for (const [index, event] of page.entries()) {
      if (event.position > seen()) return page.slice(index)
      const isHandled = reaction.oncePerWrite && lagging.last && isOneWrite(lagging.last, event)
      const places = !isHandled && concerns(reaction, event) ? reaction.places(event) : []
      const place = places.find((one) => one.group === group)
      if (place && !admit(reaction, place, event, watermark)) return page.slice(index)
      if (place) lagging.last = event
      if (place) lagging.workspace ??= event.metadata.workspace_id
      this.#reach(lagging, event.position)
    }
    return []
  }

  #reach(lagging: GroupBehind, position: number): void {
    lagging.cursor = Math.max(lagging.cursor, position)
    lagging.watermark.see(position)
  }
}

const entryOf = ({ reaction, group }: GroupBehind, after: number | null): StoreChange => ({
  behind: group,
  reaction: reaction.name,
  after,
})
