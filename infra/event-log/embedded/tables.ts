import { createHash } from 'node:crypto'
import { asBinary, type Database, type RootDatabaseOptions } from 'lmdb'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import type { Environment } from './environment.ts'
import type { EventCodec } from './event-codec.ts'

type Encoded = ReturnType<typeof asBinary>
type StoredClaim = readonly [stream: string, revision: number, note: string | null, until: number | null]

/** Keys longer than this are stored by their digest: LMDB takes keys of up to 1,978 bytes. */
const LONGEST_KEY = 400

const STRUCTURES = 'structures'

/** The tables of a log, and how each is keyed. Writes belong into the work of a group commit. */
export class Tables {
  /** position → event */
  readonly #events: Database<RecordedEvent | Encoded, number>
  /** [stream, revision] → position */
  readonly #streams: Database<number, [string, number]>
  /** [stream, event id] → revision, of repeatable appends only */
  readonly #repeats: Database<number, [string, string]>
  readonly #claims: Database<StoredClaim, string>
  /** [until, claim key]: what the sweep looks at */
  readonly #expiries: Database<boolean, [number, string]>
  readonly #meta: Database<unknown, string>

  readonly #path: string

  /** @param codec reads and writes the events; the property lists that it needs are `structuresIn(meta)` */
  constructor(env: Environment, meta: Database<unknown, string>, codec: EventCodec, path: string) {
    this.#path = path
    const encodedBy: RootDatabaseOptions & { name: string } = { name: 'events', keyEncoding: 'uint32', encoder: codec }
    this.#events = env.openDB(encodedBy)
    this.#streams = env.openDB({ name: 'streams' })
    this.#repeats = env.openDB({ name: 'repeats' })
    this.#claims = env.openDB({ name: 'claims' })
    this.#expiries = env.openDB({ name: 'expiries' })
    this.#meta = meta
  }

  /** Position of the last event in the table, or -1. */
  lastPosition(): number {
    for (const position of this.#events.getKeys({ reverse: true, limit: 1 })) return position
    return -1
  }

  /** @throws {Error} when there is no such event, or it cannot be read: the file is damaged */
  event(position: number): RecordedEvent {
    let cause: unknown
    try {
      const event = this.#events.get(position) as RecordedEvent | undefined
      if (event?.position === position) return event
    } catch (error) {
      cause = error
    }
    throw this.#damaged(`event ${position} cannot be read`, cause)
  }

  /**
   * Up to `limit` events from `from` to `to`, both included, in order.
   * @throws {Error} when one is missing or cannot be read: the file is damaged
   */
  events(from: number, to: number, limit: number): RecordedEvent[] {
    const events: RecordedEvent[] = []
    const last = Math.min(to, from + limit - 1)
    let position = from
    let cause: unknown
    try {
      for (const { value } of this.#events.getRange({ start: from, end: last + 1 })) {
        const event = value as RecordedEvent
        if (event.position !== position) break
        events.push(event)
        position += 1
      }
    } catch (error) {
      cause = error
    }
    if (position <= last) throw this.#damaged(`event ${position} cannot be read`, cause)
    return events
  }

  /** @throws {Error} when the stream has no such event, or it cannot be read: the file is damaged */
  eventAt(stream: string, revision: number): RecordedEvent {
    const position = this.position(stream, revision)
    if (position !== undefined) return this.event(position)
    throw this.#damaged(`${stream} has lost its event ${revision}`)
  }

  /** Revision of the last event of a stream, or -1. */
  revision(stream: string): number {
    const newest = { start: [stream, Number.MAX_SAFE_INTEGER], end: [stream, -1], reverse: true, limit: 1 }
    for (const [, revision] of this.#streams.getKeys(newest)) return revision
    return -1
  }

  position(stream: string, revision: number): number | undefined {
    return this.#streams.get([stream, revision])
  }

  repeated(stream: string, id: string): number | undefined {
    return this.#repeats.get([stream, id])
  }

  /** Every claim, even when its time has passed; the keys as they are stored, long ones by their digest. */
  *claims(): Iterable<Claim> {
    for (const { key, value } of this.#claims.getRange({ snapshot: false })) yield asClaim(String(key), value)
  }

  /** The claim on a key, even when its time has passed. */
  claim(key: string): Claim | undefined {
    const stored = this.#claims.get(claimKey(key))
    return stored && asClaim(key, stored)
  }

  /** Up to `limit` stored claim keys whose time has passed at `now`. */
  expired(now: number, limit: number): [until: number, storedKey: string][] {
    return [...this.#expiries.getKeys({ end: [now, '\uffff'], limit })] as [number, string][]
  }

  /** When the next claim runs out, in milliseconds since 1970; infinity when none does. */
  nextExpiry(): number {
    for (const [until] of this.#expiries.getKeys({ limit: 1 })) return until
    return Number.POSITIVE_INFINITY
  }

  putEvent(event: RecordedEvent, encoded: Buffer, repeatable: boolean): void {
    this.#events.put(event.position, asBinary(encoded))
    this.#streams.put([event.stream, event.revision], event.position)
    if (repeatable) this.#repeats.put([event.stream, event.id], event.revision)
  }

  putClaim(claim: Claim, before: Claim | undefined): void {
    const key = claimKey(claim.key)
    if (before?.until !== undefined) this.#expiries.remove([before.until, key])
    this.#claims.put(key, [claim.stream, claim.revision, claim.note ?? null, claim.until ?? null])
    if (claim.until !== undefined) this.#expiries.put([claim.until, key], true)
  }

  removeClaim(before: Claim): void {
    const key = claimKey(before.key)
    this.#claims.remove(key)
    if (before.until !== undefined) this.#expiries.remove([before.until, key])
  }

  /** Takes away a claim that `expired` has named. */
  sweep(until: number, storedKey: string): void {
    this.#claims.remove(storedKey)
    this.#expiries.remove([until, storedKey])
  }

  putStructures(list: string): void {
    this.#meta.put(STRUCTURES, list)
  }

  #damaged(what: string, cause?: unknown): Error {
    const message = `The event log in ${this.#path} is damaged: ${what}. Restore the directory from a backup.`
    return new Error(message, { cause })
  }
}

/** The property lists that were stored last. */
export function structuresIn(meta: Database<unknown, string>): string | undefined {
  return meta.get(STRUCTURES) as string | undefined
}

function asClaim(key: string, [stream, revision, note, until]: StoredClaim): Claim {
  return { key, stream, revision, ...(note === null ? {} : { note }), ...(until === null ? {} : { until }) }
}

function claimKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${key.slice(0, 40)}#${createHash('sha256').update(key).digest('base64url')}`
}
