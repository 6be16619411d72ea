import type { Claim, ClaimTaken } from '../../../domain/kernel/ports/event-log.ts'
import type { Database, Statement } from '../../sqlite/binding.ts'
import { storedKey } from './claim-key.ts'
import { COLUMNS, type EventRow } from './event-row.ts'

type ClaimRow = readonly [key: string, stream: string, revision: number, note: string | null, until: number | null]

/** The statements over the tables of a log that decide a write and carry it out, prepared once. */
export class Tables {
  readonly #prepare: (sql: string) => Statement
  readonly #last: Statement
  readonly #revision: Statement
  readonly #repeated: Statement
  readonly #position: Statement
  readonly #insert: Statement
  readonly #claim: Statement
  readonly #take: Statement
  readonly #release: Statement
  readonly #expired: Statement
  readonly #key: Statement
  readonly #checkpoint: Statement

  constructor(db: Database) {
    this.#prepare = (sql) => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement
    }
    this.#last = this.#prepare('SELECT max(position) FROM event')
    this.#revision = this.#prepare('SELECT revision FROM event WHERE stream = ? ORDER BY revision DESC LIMIT 1')
    this.#repeated = this.#prepare('SELECT revision FROM event WHERE stream = ? AND id = ? AND repeatable = 1')
    this.#position = this.#prepare('SELECT position FROM event WHERE stream = ? AND revision = ?')
    this.#insert = this.#prepare(`INSERT INTO event (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#claim = this.#prepare('SELECT key, stream, revision, note, until FROM claim WHERE key = ?')
    this.#take = this.#prepare(
      'INSERT OR REPLACE INTO claim (key, stream, revision, note, until) VALUES (?, ?, ?, ?, ?)',
    )
    this.#release = this.#prepare('DELETE FROM claim WHERE key = ? AND stream = ?')
    this.#expired = this.#prepare(
      'DELETE FROM claim WHERE key IN (SELECT key FROM claim WHERE until <= ? ORDER BY until LIMIT 64)',
    )
    this.#key = this.#prepare('INSERT OR REPLACE INTO key (subject, slot, half) VALUES (?, ?, ?)')
    this.#checkpoint = this.#prepare('INSERT OR REPLACE INTO checkpoint (reactor, position) VALUES (?, ?)')
  }

  /** Position of the last event, or -1. */
  lastPosition(): number {
    return first<number | null>(this.#last) ?? -1
  }

  /** Revision of the last event of a stream, or -1. */
  revision(stream: string): number {
    return first<number>(this.#revision, stream) ?? -1
  }

  /** Revision of an event that a repeatable append has left in the stream. */
  repeated(stream: string, id: string): number | undefined {
    return first(this.#repeated, stream, id)
  }

  position(stream: string, revision: number): number | undefined {
    return first(this.#position, stream, revision)
  }

  putEvent(row: EventRow): void {
    this.#insert.run(...row)
  }

  /** The claim on a key, even when its time has passed. */
  claim(key: string): Claim | undefined {
    const row = this.#claim.get(storedKey(key)) as ClaimRow | undefined
    return row && claimIn(row, key)
  }

  takeClaim({ key, note, until }: ClaimTaken, stream: string, revision: number): void {
    this.#take.run(storedKey(key), stream, revision, note ?? null, until ?? null)
  }

  releaseClaim(key: string, stream: string): void {
    this.#release.run(storedKey(key), stream)
  }

  /** Takes away some of the claims whose time has passed. */
  sweepClaims(now: number): void {
    this.#expired.run(now)
  }

  putKey(subject: number, slot: number | null, half: Uint8Array | null): void {
    this.#key.run(subject, slot, half)
  }

  putCheckpoint(reactor: string, position: number): void {
    this.#checkpoint.run(reactor, position)
  }
}

/** A claim as its row has it. @param key as it was asked for; long and odd ones are stored in another form */
export const claimIn = ([stored, stream, revision, note, until]: ClaimRow, key: string = stored): Claim => ({
  key,
  stream,
  revision,
  ...(note === null ? {} : { note }),
  ...(until === null ? {} : { until }),
})

const first = <T>(statement: Statement, ...parameters: (string | number)[]): T | undefined =>
  (statement.get(...parameters) as [T] | undefined)?.[0]
