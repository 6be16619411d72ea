import { LRUCache } from 'lru-cache'
import type { NewEvent, RecordedEvent } from '../../../domain/kernel/event.ts'
import type { Append, Appended } from '../../../domain/kernel/ports/event-log.ts'
import { BatchState } from './batch-state.ts'
import { decide } from './decision.ts'
import type { EventCodec } from './event-codec.ts'
import type { Participant, Work } from './group-commit.ts'
import type { Tables } from './tables.ts'

type Write = Parameters<Work<unknown>>[0]

const STREAMS_IN_MEMORY = 20_000
const SWEPT_AT_ONCE = 64
/** Positions are unsigned 32-bit keys. */
const LAST_POSSIBLE_POSITION = 0xffff_ffff

/** Carries out appends, one batch at a time, and knows where the acknowledged part of the log ends. */
export class Appender implements Participant {
  readonly #tables: Tables
  readonly #codec: EventCodec
  readonly #now: () => number
  readonly #revisions = new LRUCache<string, number>({ max: STREAMS_IN_MEMORY })
  #state: BatchState
  #structures: string | undefined
  #head: number

  /** Called with the events of a batch, and their size in the log, when they are on disk and acknowledged. */
  announce: (events: readonly RecordedEvent[], bytes: number) => void = () => {}

  /** @param now milliseconds since 1970, by which claims run out */
  constructor(tables: Tables, codec: EventCodec, now: () => number) {
    this.#tables = tables
    this.#codec = codec
    this.#now = now
    this.#head = tables.lastPosition()
    this.#state = this.#newState()
  }

  /** Position of the last event that is acknowledged, or -1. */
  get head(): number {
    return this.#head
  }

  /** Revision of the last event of a stream, or -1; may run ahead of the head while a batch is on its way to the disk. */
  revision(stream: string): number {
    return this.#revisions.get(stream) ?? this.#tables.revision(stream)
  }

  append(request: Append): Work<Appended> {
    return (write) => {
      const decision = decide(request, this.#state)
      if ('answer' in decision) return decision.answer
      this.#record(request, decision.firstRevision, write)
      const revision = this.#state.revision(request.stream)
      this.#handOver(request, revision, write)
      return { ok: true, revision, position: this.#state.lastPosition, repeated: false }
    }
  }

  begin(write: Write): void {
    this.#state = this.#newState()
    for (const [until, key] of this.#tables.expired(this.#state.now, SWEPT_AT_ONCE)) {
      write(() => this.#tables.sweep(until, key))
    }
  }

  finish(write: Write): void {
    const structures = this.#codec.unstored
    this.#structures = structures
    if (structures) write(() => this.#tables.putStructures(structures))
  }

  committed(): void {
    this.#head = this.#state.lastPosition
    for (const [stream, revision] of this.#state.revisions) this.#revisions.set(stream, revision)
    if (this.#structures) this.#codec.markStored(this.#structures)
    this.#structures = undefined
  }

  acknowledged(): void {
    if (this.#state.events.length > 0) this.announce(this.#state.events, this.#state.bytes)
  }

  discarded(): void {
    this.#structures = undefined
    this.#state = this.#newState()
  }

  #newState(): BatchState {
    return new BatchState(this.#tables, (stream) => this.revision(stream), this.#head, this.#now())
  }

  #record({ stream, events, repeatable = false }: Append, firstRevision: number, write: Write): void {
    const firstPosition = this.#state.lastPosition + 1
    if (firstPosition + events.length > LAST_POSSIBLE_POSITION) throw new Error('The event log is full: 2^32 events.')
    const recorded = events.map((event, i) => record(event, stream, firstRevision + i, firstPosition + i))
    const encoded = recorded.map((event) => this.#codec.encode(event))
    recorded.forEach((event, i) => {
      const bytes = encoded[i]!
      this.#state.add(event, bytes.length, repeatable)
      write(() => this.#tables.putEvent(event, bytes, repeatable))
    })
  }

  #handOver({ stream, take = [], release = [] }: Append, revision: number, write: Write): void {
    const state = this.#state
    for (const key of release) {
      const held = state.claim(key)
      if (held?.stream !== stream) continue
      state.setClaim(key, undefined)
      write(() => this.#tables.removeClaim(held))
    }
    for (const taken of take) {
      const before = state.claim(taken.key)
      const claim = { ...taken, stream, revision }
      state.setClaim(taken.key, claim)
      write(() => this.#tables.putClaim(claim, before))
    }
  }
}

function record(
  { id, type, data, metadata }: NewEvent,
  stream: string,
  revision: number,
  position: number,
): RecordedEvent {
  return { stream, revision, position, id, type, data, metadata }
}
