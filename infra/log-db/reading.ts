import type { CounterAt } from '../../domain/kernel/ports/counters.ts'
import type { Claim, ReadAllOptions, ReadStreamOptions } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Database } from '../sqlite/binding.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { Statements } from '../sqlite/statements.ts'
import { COLUMNS, decode, type EventRow } from './event-row.ts'
import { claimIn } from './tables.ts'

/** Rows read by one statement in one turn of the event loop. A cursor that stayed open would keep the write-ahead log growing. */
const CHUNK = 512
/** Characters of events after which a chunk of a stream ends, so that reading it does not hold the event loop for long. */
const CHUNK_CHARACTERS = 512 * 1024
/** Indexes in a row. */
const REVISION = 4
const DATA = 6

type ClaimRow = Parameters<typeof claimIn>[0]

const ALL = `SELECT ${COLUMNS} FROM event WHERE position >= ? AND position <= ? ORDER BY position LIMIT ? + 0`
const IN_STREAM = `SELECT ${COLUMNS} FROM event WHERE stream = ? AND revision >= ? AND revision <= ? AND position <= ?`
const FORWARDS = `${IN_STREAM} ORDER BY revision LIMIT ? + 0`
const BACKWARDS = `${IN_STREAM} ORDER BY revision DESC LIMIT ? + 0`
const AT = `SELECT ${COLUMNS} FROM event WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position`
const BEGUN = 'SELECT stream FROM event WHERE position >= ? AND position <= ? AND revision = 0 ORDER BY position'

/** Reads the tables of a log in pages of rows. */
export class LogReader {
  readonly #path: string
  readonly #statements: Statements

  constructor(db: Database, path: string) {
    this.#path = path
    this.#statements = new Statements(db)
  }

  /** Position of the last event in the file, or -1. */
  lastPosition(): number {
    const [last]: [number | null] = this.#statements.of('SELECT max(position) FROM event').get()
    return last ?? -1
  }

  /**
   * Returns up to `limit` events from `from` to `to`, both included, in order. Stops before an event that is missing or cannot be read.
   * @throws {Error} naming the position, when that is the first event: the file is damaged
   */
  events(from: number, to: number, limit: number): RecordedEvent[] {
    const events: RecordedEvent[] = []
    for (const row of this.#rows(ALL, [from, to, limit], `behind position ${from - 1}`)) {
      try {
        events.push(this.#event(row, from + events.length))
      } catch (error) {
        if (events.length === 0) throw error
        return events
      }
    }
    if (events.length === 0 && limit > 0 && from <= to) throw this.#damaged(from, 'it is missing')
    return events
  }

  /** Returns events of one stream with revisions from `low` to `high`, up to a position in the whole log; newest first when `backwards`. */
  ofStream(
    stream: string,
    low: number,
    high: number,
    head: number,
    limit: number,
    backwards: boolean,
  ): RecordedEvent[] {
    const rows = this.#rows(backwards ? BACKWARDS : FORWARDS, [stream, low, high, head, limit], `in ${stream}`)
    return this.#consecutive(rows, stream, low, backwards)
  }

  /** Returns the beginning of what `ofStream` returns, which ends behind so many characters, and whether more follows. */
  beginningOfStream(
    stream: string,
    low: number,
    high: number,
    head: number,
    limit: number,
    backwards: boolean,
  ): { readonly events: RecordedEvent[]; readonly isCut: boolean } {
    const rows: EventRow[] = []
    let characters = 0
    const text = backwards ? BACKWARDS : FORWARDS
    for (const row of this.#eachRow<EventRow>(text, [stream, low, high, head, limit], `in ${stream}`)) {
      rows.push(row)
      characters += row[DATA].length
      if (characters >= CHUNK_CHARACTERS) break
    }
    const isCut = rows.length === limit || characters >= CHUNK_CHARACTERS
    return { events: this.#consecutive(rows, stream, low, backwards), isCut }
  }

  #consecutive(rows: readonly EventRow[], stream: string, low: number, backwards: boolean): RecordedEvent[] {
    const first = backwards ? (rows[0]?.[REVISION] ?? 0) : low
    return rows.map((row, index) => {
      const expected = backwards ? first - index : first + index
      if (row[REVISION] === expected) return this.#event(row, row[0])
      throw this.#damaged(row[0], `event ${expected} of ${stream} is missing beside it`)
    })
  }

  /** Returns the events at these ascending positions. @throws {Error} naming the first that cannot be read: the file is damaged */
  at(positions: readonly number[]): RecordedEvent[] {
    const rows = this.#rows(AT, [JSON.stringify(positions)], `at position ${positions[0]}`)
    return positions.map((position, n) => {
      const row = rows[n]
      if (!row) throw this.#damaged(position, 'it is missing')
      return this.#event(row, position)
    })
  }

  /** Returns the streams whose first events are at these positions, both included, in that order. */
  begunIn(from: number, to: number): string[] {
    return this.#rows<[string]>(BEGUN, [from, to], `behind position ${from - 1}`).map(([stream]) => stream)
  }

  /** Yields the claims that pass, in the order of their keys as they are stored. */
  async *allClaims(passes: (claim: Claim) => boolean): AsyncGenerator<Claim> {
    const text = 'SELECT key, stream, revision, note, until FROM claim WHERE key > ? ORDER BY key LIMIT ? + 0'
    for (let after = ''; ; await nextTurn()) {
      const page = this.#rows<ClaimRow>(text, [after, CHUNK], 'among its claims').map((row) => claimIn(row))
      for (const claim of page) if (passes(claim)) yield claim
      if (page.length < CHUNK) return
      after = page.at(-1)!.key
    }
  }

  /** Returns the current value of every counter. */
  counters(): readonly CounterAt[] {
    // The first layout had no counters.
    if (this.#rows("SELECT 1 FROM sqlite_schema WHERE name = 'counter'", [], 'at its tables').length === 0) return []
    const rows = this.#rows<[string, number]>('SELECT name, value FROM counter WHERE value > ?', [0], 'at its counters')
    return rows.map(([counter, value]) => ({ counter, value }))
  }

  #rows<Row = EventRow>(text: string, parameters: (string | number)[], where: string): Row[] {
    try {
      return this.#statements.of(text).all(...parameters)
    } catch (error) {
      throw asUnavailable(`The event log ${this.#path} could not be read ${where}`, error)
    }
  }

  *#eachRow<Row>(text: string, parameters: (string | number)[], where: string): Generator<Row> {
    try {
      yield* this.#statements.of(text).iterate(...parameters) as Iterable<Row>
    } catch (error) {
      throw asUnavailable(`The event log ${this.#path} could not be read ${where}`, error)
    }
  }

  #event(row: EventRow, position: number): RecordedEvent {
    if (row[0] !== position) throw this.#damaged(position, 'it is missing')
    try {
      return decode(row)
    } catch (cause) {
      throw this.#damaged(position, (cause as Error).message)
    }
  }

  #damaged(position: number, what: string): Error {
    return new Error(
      `The event log ${this.#path} is damaged: event ${position} cannot be read (${what}). Restore it from a backup.`,
    )
  }
}

/** A log as its readers see it. */
export interface Readable {
  readonly reader: LogReader
  /** Position of the last acknowledged event. Nothing behind it is read. */
  head(): number
  /** Called before each chunk. @throws {Error} when the log has been closed */
  mustBeOpen(): void
}

/** Yields the events of a stream that were acknowledged when the reading began. */
export async function* readStream(
  log: Readable,
  stream: string,
  { backwards = false, from, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
): AsyncGenerator<RecordedEvent> {
  log.mustBeOpen()
  const head = log.head()
  let low = backwards ? 0 : (from ?? 0)
  let high = backwards ? (from ?? Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER
  let left = limit
  while (left > 0) {
    log.mustBeOpen()
    const size = Math.min(left, CHUNK)
    const { events, isCut } = log.reader.beginningOfStream(stream, low, high, head, size, backwards)
    for (const event of events) yield event
    if (!isCut) return
    left -= events.length
    const last = events.at(-1)!.revision
    if (backwards) high = last - 1
    else low = last + 1
    await nextTurn()
  }
}

/** Yields the events of the log that were acknowledged when the reading began. */
export async function* readAll(
  log: Readable,
  { after = -1, limit = Number.POSITIVE_INFINITY }: ReadAllOptions = {},
): AsyncGenerator<RecordedEvent> {
  log.mustBeOpen()
  const head = log.head()
  let position = after
  let left = limit
  while (left > 0 && position < head) {
    log.mustBeOpen()
    const chunk = log.reader.events(position + 1, head, Math.min(left, CHUNK))
    position += chunk.length
    left -= chunk.length
    for (const event of chunk) yield event
    await nextTurn()
  }
}

/** Lets other work have the event loop between two chunks. */
function nextTurn(): Promise<void> {
  return new Promise(setImmediate)
}
