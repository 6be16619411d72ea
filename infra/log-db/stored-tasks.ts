import type {
  DeadLetter,
  DeadLetterQuery,
  LaggingGroup,
  PendingTask,
  ReactorStore,
  RefusedCommand,
} from '../../domain/kernel/ports/reactor-store.ts'
import type { Json } from '../../domain/kernel/values/event.ts'
import { PAGE } from '../reactor-store-limits.ts'
import type { Database, SqlValue } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'
import { DEAD_LETTER_COLUMNS, PENDING_COLUMNS, REFUSED_COLUMNS } from './reactor-tables.ts'

type TaskColumns = [string, number, string, string, number | null, number]
type PendingRow = readonly [...TaskColumns, due: number | null, error: string | null]
type DeadRow = readonly [...TaskColumns, at: string, error: string]
type RefusedRow = readonly [reaction: string, position: number, workspace: number | null, at: string, reason: string]

const PAGE_AFTER = '(lane, position) > (?, ?) ORDER BY lane, position LIMIT ?'
const REFUSED_IN = `SELECT ${REFUSED_COLUMNS} FROM refused WHERE workspace_id IS ? ORDER BY number DESC LIMIT ?`

/** Reads the reactor store in the tables beside a log, page by page: a query that stayed open would keep the write-ahead log growing. */
export class StoredTasks implements Omit<ReactorStore, 'write' | 'checkpoint'> {
  readonly #statements: Statements
  readonly #tables: ReadonlySet<string>

  constructor(db: Database) {
    this.#statements = new Statements(db)
    // Earlier layouts have fewer tables, and may be read as they are.
    const tables: [string][] = this.#statements.of("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    this.#tables = new Set(tables.flat())
  }

  reactions(): ReadonlyMap<string, number> {
    return new Map(this.#rows<[string, number]>('SELECT name, since FROM reaction'))
  }

  async *pending(): AsyncGenerator<PendingTask> {
    for (let last: Pick<PendingTask, 'lane' | 'position'> | undefined = { lane: '', position: -1 }; last; ) {
      const text = `SELECT ${PENDING_COLUMNS} FROM owed WHERE ${PAGE_AFTER}`
      const page: PendingTask[] = this.#rows<PendingRow>(text, last.lane, last.position, PAGE).map(taskOf)
      yield* page
      last = page[PAGE - 1]
    }
  }

  pendingIn(lane: string, limit: number): readonly PendingTask[] {
    const text = `SELECT ${PENDING_COLUMNS} FROM owed WHERE lane = ? ORDER BY position LIMIT ?`
    return this.#rows<PendingRow>(text, lane, limit).map(taskOf)
  }

  cursor(name: string): Json {
    const [row] = this.#rows<[string]>('SELECT value FROM cursor WHERE name = ?', name)
    return row ? JSON.parse(row[0]) : null
  }

  async *cursors(): AsyncGenerator<readonly [name: string, value: Json]> {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const text = 'SELECT name, value FROM cursor WHERE name > ? ORDER BY name LIMIT ?'
      const page: [string, string][] = this.#rows(text, last, PAGE)
      for (const [name, value] of page) yield [name, JSON.parse(value)]
      last = page[PAGE - 1]?.[0]
    }
  }

  deadLetters({ workspaceId, after = { lane: '', position: -1 }, limit }: DeadLetterQuery): readonly DeadLetter[] {
    const where = workspaceId === undefined ? PAGE_AFTER : `workspace_id = ? AND ${PAGE_AFTER}`
    const workspace = workspaceId === undefined ? [] : [workspaceId]
    const text = `SELECT ${DEAD_LETTER_COLUMNS} FROM dead WHERE ${where}`
    return this.#rows<DeadRow>(text, ...workspace, after.lane, after.position, limit).map(letterOf)
  }

  counts(): { readonly pending: ReadonlyMap<string, number>; readonly deadLetters: ReadonlyMap<string, number> } {
    const count = (table: 'owed' | 'dead') =>
      new Map(this.#rows<[string, number]>(`SELECT reaction, count(*) FROM ${table} GROUP BY reaction`))
    return { pending: count('owed'), deadLetters: count('dead') }
  }

  refusals(workspaceId: number | null, limit: number): readonly RefusedCommand[] {
    return this.#rows<RefusedRow>(REFUSED_IN, workspaceId, limit).map(refusedOf)
  }

  behind(): readonly LaggingGroup[] {
    if (!this.#tables.has('behind')) return []
    const rows = this.#rows<[string, string, number]>('SELECT gate, reaction, after FROM behind ORDER BY gate')
    return rows.map(([gate, reaction, after]) => ({ gate, reaction, after }))
  }

  #rows<Row>(text: string, ...parameters: SqlValue[]): Row[] {
    return this.#tables.has('owed') ? this.#statements.of(text).all(...parameters) : []
  }
}

const taskOf = ([lane, position, reaction, gate, workspace_id, attempts, due, error]: PendingRow): PendingTask => {
  return { lane, position, reaction, gate, workspace_id, attempts, due, error }
}

const letterOf = ([lane, position, reaction, gate, workspace_id, attempts, at, error]: DeadRow): DeadLetter => {
  return { lane, position, reaction, gate, workspace_id, attempts, at, error }
}

const refusedOf = ([reaction, position, workspace_id, at, reason]: RefusedRow): RefusedCommand => {
  return { reaction, position, workspace_id, at, reason }
}
