import type { Database } from '../../../sqlite/binding.ts'
import { openViews } from '../layout.ts'
import { type CatalogedCollection, quoted, Table } from '../table.ts'
import { generationIn, showView } from './catalog.ts'

export interface CarryOverData {
  readonly from: string
  readonly to: string
}

/** Collection to copy, or `end` when there are no more. */
export type CarryOverTask = { readonly keep: string } | 'end'

interface SchemaRow {
  readonly type: 'table' | 'index'
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/** Copies tables from one file into a new one, within one transaction. SQLite copies them row by row without parsing the rows. */
export class CollectionCopier {
  readonly #db: Database

  constructor({ from, to }: CarryOverData) {
    this.#db = openViews(to, 'keeping')
    this.#db.prepare('ATTACH ? AS live').run(from)
    this.#db.exec('BEGIN')
  }

  /** Copies the tables and indexes of a collection. Does nothing where there is no such collection. */
  keep(collection: string): void {
    const row = this.#db.prepare('SELECT * FROM live.collection WHERE name = ?').get(collection) as
      | (Omit<CatalogedCollection, 'indexes'> & { readonly indexes: string })
      | undefined
    if (!row) return
    const { generation } = row
    this.#db.prepare('INSERT INTO main.collection SELECT * FROM live.collection WHERE name = ?').run(collection)
    const all = this.#db.prepare('SELECT type, name, tbl_name, sql FROM live.sqlite_schema WHERE sql IS NOT NULL').all()
    const own = (all as SchemaRow[]).filter(({ tbl_name }) => generationIn(tbl_name) === generation)
    const tables = own.filter(({ type }) => type === 'table')
    // With the same indexes on both sides, SQLite copies their entries in order instead of sorting them again.
    for (const { sql } of [...tables, ...own.filter(({ type }) => type === 'index')]) this.#db.exec(sql)
    for (const { name } of tables) this.#db.exec(`INSERT INTO main.${quoted(name)} SELECT * FROM live.${quoted(name)}`)
    showView(this.#db, new Table({ ...row, indexes: JSON.parse(row.indexes) }))
  }

  /** Commits. Returns the position that all collections have reached, or -1. */
  end(): number {
    const row = this.#db.prepare("SELECT value FROM live.meta WHERE name = 'checkpoint'").get()
    this.#db.exec('COMMIT')
    this.#db.exec('DETACH live')
    return (row as { readonly value: number } | undefined)?.value ?? -1
  }

  close(): void {
    this.#db.close()
  }
}
