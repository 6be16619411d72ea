import type { Database } from '../../../sqlite/binding.ts'
import { quoted } from '../table.ts'
import { generationIn } from './catalog.ts'

/** Rows deleted in one transaction: few enough that writers wait for some milliseconds only. */
const ROWS = 1000
const PAUSE_MS = 5
const PAUSE_AFTER_FAILURE_MS = 1000

/** Drops the tables that the catalog does not name, piece by piece: all at once would block the writer for seconds. */
export class Dropping {
  readonly #db: Database
  readonly #onPiece: () => void
  #timer: NodeJS.Timeout | undefined

  /** @param onPiece called after every piece */
  constructor(db: Database, onPiece: () => void) {
    this.#db = db
    this.#onPiece = onPiece
  }

  start(): void {
    this.#timer = setTimeout(() => this.#continue(), PAUSE_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #continue(): void {
    let pause = PAUSE_MS
    try {
      if (!dropPiece(this.#db)) return
      this.#onPiece()
    } catch {
      pause = PAUSE_AFTER_FAILURE_MS
    }
    this.#timer = setTimeout(() => this.#continue(), pause)
  }
}

/** Drops an index, some rows or an empty table. Returns whether there was anything to drop. */
const dropPiece = (db: Database): boolean => {
  const table = orphansIn(db)[0]
  if (table === undefined) return false
  const index: { name: string } | undefined = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .get(table)
  if (index) db.exec(`DROP INDEX ${quoted(index.name)}`)
  else if (deleteRows(db, table) === 0) db.exec(`DROP TABLE ${quoted(table)}`)
  return true
}

/** Returns the tables of collections that the catalog does not name. */
export const orphansIn = (db: Database): readonly string[] => {
  const tables: { name: string }[] = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const rows: { generation: number }[] = db.prepare('SELECT generation FROM collection').all()
  const named = new Set(rows.map(({ generation }) => generation))
  return tables.flatMap(({ name }) => {
    const generation = generationIn(name)
    return generation === undefined || named.has(generation) ? [] : [name]
  })
}

const deleteRows = (db: Database, table: string): number => {
  const columns: { name: string }[] = db.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0').all(table)
  const key = `(${columns.map(({ name }) => quoted(name))})`
  const batch = `SELECT ${key.slice(1, -1)} FROM ${quoted(table)} LIMIT ${ROWS}`
  return Number(db.prepare(`DELETE FROM ${quoted(table)} WHERE ${key} IN (${batch})`).run().changes)
}
