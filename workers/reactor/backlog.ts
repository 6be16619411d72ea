import { isOneWrite } from '../../domain/kernel/engine/write.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Behind, Entry } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { Horizon } from './low-watermark.ts'
import type { Place, Reaction } from './reaction.ts'

/** Lanes that wait at a gate, or tasks in one of them, before no more are taken up. */
const CROWDED = 256
/** Events read at once. */
const PAGE = 256

/** A gate that did not have room for everything: what comes behind its place in the log waits there. */
interface Late {
  readonly reaction: Reaction
  readonly gate: string
  /** What of it was taken up and is neither done nor written down. */
  readonly horizon: Horizon
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

interface BacklogParts {
  readonly log: Pick<EventLog, 'readAll'>
  /** Position up to which the reactor has taken events up. */
  readonly seen: () => number
  /** How many lanes wait at a gate, and whether it lets anything through at present. */
  readonly crowd: (reaction: Reaction, gate: string) => number
  readonly isOpen: (reaction: Reaction, gate: string) => boolean
  readonly concerns: (reaction: Reaction, event: RecordedEvent) => boolean
  /** @returns whether there was room */
  readonly admit: (reaction: Reaction, place: Place, event: RecordedEvent, holds: Horizon) => boolean
  /** Told when some have been. */
  readonly onAdmitted: (reaction: Reaction) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * What waits for room without rows: a gate that is full keeps its own place in the log, and reads on from there when it has room, until it has
 * caught up with the reactor (design 7).
 */
export class Backlog {
  readonly #parts: BacklogParts
  readonly #late = new Map<string, Late>()
  #stopped = false

  constructor(parts: BacklogParts) {
    this.#parts = parts
  }

  /** Whether so many wait at a gate or in a lane that what comes has to wait in the log. */
  static isCrowded(count: number): boolean {
    return count >= CROWDED
  }

  /** Whether what comes for a gate at a position is read from the log later. */
  isBehind(gate: string, position: number): boolean {
    const late = this.#late.get(gate)
    return late !== undefined && !late.isLive && position > late.from
  }

  /**
   * A gate has no room for an event.
   *
   * @param before position of the one before it
   * @returns what is to be written down before the reactor may pass it; `undefined`: nothing
   */
  fallBehind(reaction: Reaction, gate: string, { metadata }: RecordedEvent, before: number): Entry | undefined {
    const known = this.#late.get(gate)
    if (known?.isLive) {
      known.isLive = false
      known.from = before
      this.#reach(known, before)
      return undefined
    }
    const { workspace_id: workspace } = metadata
    const late = { ...this.#begin(reaction, gate, before), written: before, workspace }
    this.#late.set(gate, late)
    return entryOf(late, late.written)
  }

  /** A gate was behind when the process before ended. */
  resume(reaction: Reaction, { gate, after }: Behind): void {
    this.#late.set(gate, { ...this.#begin(reaction, gate, after), written: after })
  }

  /** Whether something of a workspace may be read from the log yet. */
  isWaiting(workspace: number): boolean {
    return [...this.#late.values()].some(
      ({ isLive, reaction, gate, workspace: of = workspace }) =>
        !isLive && of === workspace && this.#parts.isOpen(reaction, gate),
    )
  }

  /** The reactor has seen more: what was read ahead of it may go on. */
  seenMore(): void {
    for (const late of this.#late.values()) this.#readOn(late)
  }

  /** There may be room at a gate. */
  roomAt(gate: string): void {
    const late = this.#late.get(gate)
    if (late) this.#readOn(late)
  }

  /** @returns how far each gate has come, as far as that is not in the books */
  beat(): readonly Entry[] {
    const entries: Entry[] = []
    this.seenMore()
    for (const late of this.#late.values()) {
      const isThrough = late.isLive && late.horizon.size === 0
      const after = isThrough ? null : late.horizon.checkpoint
      if (isThrough) this.#late.delete(late.gate)
      if (after === late.written) continue
      late.written = after ?? undefined
      entries.push(entryOf(late, after))
    }
    return entries
  }

  stop(): void {
    this.#stopped = true
  }

  #begin(reaction: Reaction, gate: string, after: number): Late {
    const horizon = new Horizon(after)
    return {
      reaction,
      gate,
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

  #hasRoom({ reaction, gate, cursor }: Late): boolean {
    const { crowd, isOpen, seen } = this.#parts
    // After a start the reactor first takes up what is before the place of the gate.
    if (this.#stopped || cursor > seen()) return false
    return isOpen(reaction, gate) && crowd(reaction, gate) < CROWDED / 2
  }

  #readOn(late: Late): void {
    if (late.isReading || late.isLive || !this.#hasRoom(late)) return
    late.isReading = true
    this.#read(late)
      .catch((error: unknown) => {
        // While a store is away it is tried again with each beat.
        if (!isPassing(error)) this.#parts.onFailure(error)
      })
      .finally(() => {
        late.isReading = false
      })
  }

  async #read(late: Late): Promise<void> {
    const { log, seen, onAdmitted } = this.#parts
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
    const { concerns, admit, seen } = this.#parts
    const { reaction, gate, horizon } = late
    for (const [index, event] of page.entries()) {
      if (event.position > seen()) return page.slice(index)
      const isTold = reaction.toWrites && late.last && isOneWrite(late.last, event)
      const places = !isTold && concerns(reaction, event) ? reaction.places(event) : []
      const place = places.find((one) => one.gate === gate)
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

const entryOf = ({ reaction, gate }: Late, after: number | null): Entry => ({
  behind: gate,
  reaction: reaction.name,
  after,
})
