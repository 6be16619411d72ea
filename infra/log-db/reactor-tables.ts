import type { DeadLetter, PendingTask, RefusedCommand, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { REFUSALS_KEPT } from '../reactor-store-limits.ts'
import type { Database, SqlValue } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'

/** Columns of the reactor store's rows, in the order in which they are written and read. */
export const PENDING_COLUMNS = 'lane, position, reaction, gate, workspace_id, attempts, due, error'
export const DEAD_LETTER_COLUMNS = 'lane, position, reaction, gate, workspace_id, attempts, at, error'
export const REFUSED_COLUMNS = 'reaction, position, workspace_id, at, reason'

const PUT_PENDING = `INSERT OR REPLACE INTO owed (${PENDING_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
/** For a task behind another in its lane: an existing row is kept, because it says more. */
const PUT_PENDING_IF_NEW = PUT_PENDING.replace('REPLACE', 'IGNORE')
const PUT_BEHIND = 'INSERT OR REPLACE INTO behind (gate, reaction, after) VALUES (?, ?, ?)'
const PUT_DEAD = `INSERT OR REPLACE INTO dead (${DEAD_LETTER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const LAST_REFUSED = 'SELECT number FROM refused WHERE workspace_id IS ? ORDER BY number DESC LIMIT 1'
const PUT_REFUSED = `INSERT INTO refused (number, ${REFUSED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`
const TRIM_REFUSED = 'DELETE FROM refused WHERE workspace_id IS ? AND number <= ?'

/** Statements that carry out changes of the reactor store. */
export class ReactorTables {
  readonly #statements: Statements

  constructor(db: Database) {
    this.#statements = new Statements(db)
  }

  enter(entry: StoreChange): void {
    if ('owed' in entry) this.#putPending(entry.owed)
    else if ('settled' in entry) this.#remove('owed', entry.settled)
    else if ('dead' in entry) this.#putDeadLetter(entry.dead)
    else if ('revived' in entry) this.#remove('dead', entry.revived)
    else if ('refused' in entry) this.#putRefused(entry.refused)
    else if ('cursor' in entry) this.#putCursor(entry)
    else if ('behind' in entry) this.#putBehind(entry)
    else this.#run('INSERT OR REPLACE INTO reaction (name, since) VALUES (?, ?)', entry.reaction, entry.since)
  }

  #putPending({ lane, position, reaction, gate, workspace_id, attempts, due, error }: PendingTask): void {
    const put = due === null ? PUT_PENDING_IF_NEW : PUT_PENDING
    this.#run(put, lane, position, reaction, gate, workspace_id, attempts, due, error)
  }

  #putDeadLetter({ lane, position, reaction, gate, workspace_id, attempts, at, error }: DeadLetter): void {
    this.#run(PUT_DEAD, lane, position, reaction, gate, workspace_id, attempts, at, error)
  }

  #remove(table: 'owed' | 'dead', { lane, position }: Pick<PendingTask, 'lane' | 'position'>): void {
    this.#run(`DELETE FROM ${table} WHERE lane = ? AND position = ?`, lane, position)
  }

  /** Numbers refusals per workspace, so that old ones are found without counting. */
  #putRefused({ reaction, position, workspace_id, at, reason }: RefusedCommand): void {
    const last = this.#statements.of(LAST_REFUSED).get(workspace_id) as readonly [number] | undefined
    const number = (last?.[0] ?? 0) + 1
    this.#run(PUT_REFUSED, number, reaction, position, workspace_id, at, reason)
    this.#run(TRIM_REFUSED, workspace_id, number - REFUSALS_KEPT)
  }

  #putCursor({ cursor, value }: Extract<StoreChange, { readonly cursor: string }>): void {
    if (value === null) this.#run('DELETE FROM cursor WHERE name = ?', cursor)
    else this.#run('INSERT OR REPLACE INTO cursor (name, value) VALUES (?, ?)', cursor, JSON.stringify(value))
  }

  #putBehind({ behind, reaction, after }: Extract<StoreChange, { readonly behind: string }>): void {
    if (after === null) this.#run('DELETE FROM behind WHERE gate = ?', behind)
    else this.#run(PUT_BEHIND, behind, reaction, after)
  }

  #run(text: string, ...parameters: SqlValue[]): void {
    this.#statements.of(text).run(...parameters)
  }
}
