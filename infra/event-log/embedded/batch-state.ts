import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import type { LogState } from './decision.ts'
import type { Tables } from './tables.ts'

/** The log as it will stand when the batch is on disk: what the batch has changed so far, over what the tables hold. */
export class BatchState implements LogState {
  readonly now: number
  readonly events: RecordedEvent[] = []
  /** Bytes that the events take in the log. */
  bytes = 0
  readonly revisions = new Map<string, number>()
  readonly #claims = new Map<string, Claim | undefined>()
  readonly #repeats = new Map<string, number>()
  readonly #known: (stream: string) => number
  readonly #tables: Tables
  readonly #first: number

  constructor(tables: Tables, known: (stream: string) => number, lastPosition: number, now: number) {
    this.#tables = tables
    this.#known = known
    this.#first = lastPosition + 1
    this.now = now
  }

  get lastPosition(): number {
    return this.#first + this.events.length - 1
  }

  revision(stream: string): number {
    return this.revisions.get(stream) ?? this.#known(stream)
  }

  repeated(stream: string, id: string): number | undefined {
    return this.#repeats.get(`${stream}\0${id}`) ?? this.#tables.repeated(stream, id)
  }

  position(stream: string, revision: number): number | undefined {
    const own = this.events.find((event) => event.stream === stream && event.revision === revision)
    return own?.position ?? this.#tables.position(stream, revision)
  }

  claim(key: string): Claim | undefined {
    return this.#claims.has(key) ? this.#claims.get(key) : this.#tables.claim(key)
  }

  add(event: RecordedEvent, bytes: number, repeatable: boolean): void {
    this.events.push(event)
    this.bytes += bytes
    this.revisions.set(event.stream, event.revision)
    if (repeatable) this.#repeats.set(`${event.stream}\0${event.id}`, event.revision)
  }

  setClaim(key: string, claim: Claim | undefined): void {
    this.#claims.set(key, claim)
  }
}
