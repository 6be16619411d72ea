import { type CollectionSpec, type Index, UNMAINTAINED } from '../../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../../sqlite/binding.ts'
import { atomically } from '../../../sqlite/open.ts'
import { builtFrom, fingerprintsIn, readMeta, writeMeta } from '../layout.ts'
import { type CatalogedCollection, quoted, Table } from '../table.ts'

export type Tables = ReadonlyMap<string, Table>

/** Reads the tables of the collections that the catalog of a file names. */
export const readCatalog = (db: Database): Tables => {
  const rows: { name: string; generation: number; ids: 'integer' | 'any'; indexes: string }[] = db
    .prepare('SELECT name, generation, ids, indexes FROM collection')
    .all()
  return new Map(rows.map((row) => [row.name, new Table({ ...row, indexes: JSON.parse(row.indexes) })]))
}

/**
 * Brings the catalog in line with these declarations. A collection that is new or still empty is created as declared. Any other keeps
 * the form in which it was built. A collection that is no longer declared leaves the catalog; its table is dropped later.
 * @param indexed whether to create the indexes at once
 */
export const declare = (db: Database, declared: readonly CollectionSpec[], indexed: boolean): Tables => {
  const tables = readCatalog(db)
  const toCreate = declared.filter((spec) => mustBeCreated(db, tables.get(spec.name), spec))
  const undeclared = [...tables.keys()].filter((name) => !declared.some((spec) => spec.name === name))
  if (toCreate.length + undeclared.length === 0) return tables
  return atomically(db, () => {
    for (const name of undeclared) removeCollection(db, tables.get(name)!)
    for (const { name, ids, indexes } of toCreate) {
      const cataloged = indexes.map((index) => ({ ...index, multivalued: false }))
      const table = new Table({ name, generation: nextGeneration(db), ids: ids ?? 'any', indexes: cataloged })
      save(db, table.cataloged)
      db.exec(`${table.creation} ${indexed ? table.indexing : ''}`)
      showView(db, table)
    }
    return readCatalog(db)
  })
}

/** Writes the present state of a collection into the catalog. Call it within a transaction. */
export const save = (db: Database, { name, generation, ids, indexes }: CatalogedCollection): void => {
  db.prepare('INSERT OR REPLACE INTO collection VALUES (?, ?, ?, ?)').run(
    name,
    generation,
    ids,
    JSON.stringify(indexes),
  )
}

const mustBeCreated = (db: Database, table: Table | undefined, { indexes, ids }: CollectionSpec): boolean => {
  if (!table) return true
  const { cataloged } = table
  const lacks = indexes.some((index) => !cataloged.indexes.some((other) => same(index, other)))
  return (lacks || cataloged.ids !== (ids ?? 'any')) && isEmpty(db, table)
}

const same = (a: Index, b: Index): boolean => a.sort === b.sort && a.fields.join() === b.fields.join()

const isEmpty = (db: Database, { sql }: Table): boolean => !db.prepare(`SELECT 1 FROM ${sql} LIMIT 1`).get()

/** Removes a collection from the catalog. Its documents get a fingerprint that forces a rebuild if it is declared again. */
const removeCollection = (db: Database, table: Table): void => {
  if (!isEmpty(db, table)) writeMeta(db, builtFrom(new Map(fingerprintsIn(readMeta(db))).set(table.name, UNMAINTAINED)))
  db.prepare('DELETE FROM collection WHERE name = ?').run(table.name)
  dropView(db, table.name)
}

/** Returns a number greater than that of any table, including tables that are being dropped. */
const nextGeneration = (db: Database): number => {
  const names: { name: string }[] = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return 1 + Math.max(0, ...names.map(({ name }) => generationIn(name) ?? 0))
}

/** Returns the generation in a table's name, `undefined` where the name has none. */
export const generationIn = (table: string): number | undefined => {
  const number = /#(\d+)(?:\.\d+ entries)?$/.exec(table)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Creates a view with the documents under the plain name of the collection, for people who open the file, unless that name is in use. */
export const showView = (db: Database, { name, sql }: Table): void => {
  dropView(db, name)
  db.exec(`CREATE VIEW IF NOT EXISTS ${quoted(name)} AS SELECT id, document FROM ${sql}`)
}

const dropView = (db: Database, name: string): void => {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?").get(name)
  if (isThere) db.exec(`DROP VIEW ${quoted(name)}`)
}
