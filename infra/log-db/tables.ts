import type { Claim, ClaimToTake } from '../../domain/kernel/ports/event-log.ts'
import { storedKey } from '../claim-key.ts'
import type { Database, SqlValue } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'
import type { CheckpointWrite, CounterWrite, KeyWrite } from './batch.ts'
import { COLUMNS, type EventRow } from './event-row.ts'

type ClaimRow = readonly [key: string, stream: string, revision: number, note: string | null, until: number | null]

const INSERT_EVENT = `INSERT INTO event (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Statements over the tables of a log that decide a write and carry it out. */
export class Tables {
  readonly #statements: Statements

  constructor(db: Database) {
    this.#statements = new Statements(db)
  }

  /** Returns the position of the last event, or -1. */
  lastPosition(): number {
    return this.#value<number | null>('SELECT max(position) FROM event') ?? -1
  }

  /** Returns the revision of the last event of a stream, or -1. */
  revision(stream: string): number {
    return this.#value('SELECT revision FROM event WHERE stream = ? ORDER BY revision DESC LIMIT 1', stream) ?? -1
  }

  /** Returns the revision of an event that a repeatable append has written to the stream. */
  repeated(stream: string, id: string): number | undefined {
    return this.#value('SELECT revision FROM event WHERE stream = ? AND id = ? AND repeatable = 1', stream, id)
  }

  position(stream: string, revision: number): number | undefined {
    return this.#value('SELECT position FROM event WHERE stream = ? AND revision = ?', stream, revision)
  }

  putEvent(row: EventRow): void {
    this.#run(INSERT_EVENT, ...row)
  }

  /** Returns the claim on a key, even when it has expired. */
  claim(key: string): Claim | undefined {
    const text = 'SELECT key, stream, revision, note, until FROM claim WHERE key = ?'
    const row: ClaimRow | undefined = this.#statements.of(text).get(storedKey(key))
    return row && claimIn(row, key)
  }

  takeClaim({ key, note, until }: ClaimToTake, stream: string, revision: number): void {
    const text = 'INSERT OR REPLACE INTO claim (key, stream, revision, note, until) VALUES (?, ?, ?, ?, ?)'
    this.#run(text, storedKey(key), stream, revision, note ?? null, until ?? null)
  }

  releaseClaim(key: string, stream: string): void {
    this.#run('DELETE FROM claim WHERE key = ? AND stream = ?', storedKey(key), stream)
  }

  /** Deletes some of the claims that have expired. */
  sweepClaims(now: number): void {
    this.#run('DELETE FROM claim WHERE key IN (SELECT key FROM claim WHERE until <= ? ORDER BY until LIMIT 64)', now)
  }

  putKey({ subject, slot, half }: KeyWrite): void {
    this.#run('INSERT OR REPLACE INTO key (subject, slot, half) VALUES (?, ?, ?)', subject, slot, half)
  }

  putCheckpoint({ reactor, position }: CheckpointWrite): void {
    this.#run('INSERT OR REPLACE INTO checkpoint (reactor, position) VALUES (?, ?)', reactor, position)
  }

  /** Moves a counter. @returns its new value */
  count({ counter, atLeast, add }: Pick<CounterWrite, 'counter' | 'atLeast' | 'add'>): number {
    const text =
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = max(value, ?) + ? RETURNING value'
    return this.#value<number>(text, counter, atLeast + add, atLeast, add) ?? 0
  }

  #value<T>(text: string, ...parameters: SqlValue[]): T | undefined {
    return (this.#statements.of(text).get(...parameters) as [T] | undefined)?.[0]
  }

  #run(text: string, ...parameters: SqlValue[]): void {
    this.#statements.of(text).run(...parameters)
  }
}

/** Returns the claim in a row. @param key as the caller gave it; long and unusual keys are stored in another form */
export const claimIn = ([stored, stream, revision, note, until]: ClaimRow, key: string = stored): Claim => ({
  key,
  stream,
  revision,
  ...(note === null ? {} : { note }),
  ...(until === null ? {} : { until }),
})
