import type { Index } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'

export interface CatalogedIndex extends Index {
  /** Whether any document ever held an array in one of its fields. */
  readonly multivalued: boolean
}

/** Collection as it is recorded in the catalog. */
export interface CatalogedCollection {
  readonly name: string
  readonly generation: number
  readonly ids: 'integer' | 'any'
  readonly indexes: readonly CatalogedIndex[]
}

export interface TableIndex extends Index {
  readonly sql: string
  /** Table with the entries of documents that have an array in one of the fields: one row for each combination of elements. */
  readonly entries: string
  /** Columns of the fields, then of the sort value, unless that is the id. */
  readonly columns: readonly string[]
  /** Positions of those among the columns of the table. */
  readonly places: readonly number[]
  multivalued: boolean
}

/** Columns that every table has, and SQLite's own names for the rowid. */
const RESERVED = ['id', 'position', 'document', 'rowid', 'oid', '_rowid_']

/** Returns a name quoted for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Table of a collection: `id, position, <a column for each indexed or sorted field>, document`. */
export class Table {
  readonly name: string
  readonly sql: string
  /** Statement that reads the document with an id. */
  readonly byId: string
  readonly integerIds: boolean
  readonly paths: readonly FieldPath[]
  readonly columns: readonly string[]
  readonly indexes: readonly TableIndex[]
  readonly #cataloged: CatalogedCollection
  readonly #fields: readonly string[]

  constructor(cataloged: CatalogedCollection) {
    const { name, generation, ids, indexes } = cataloged
    this.name = name
    this.sql = quoted(`${name}#${generation}`)
    this.byId = `SELECT document FROM ${this.sql} WHERE id = ?`
    this.integerIds = ids === 'integer'
    this.#cataloged = cataloged
    this.#fields = [...new Set(indexes.flatMap(keysOf))]
    this.paths = this.#fields.map((field) => new FieldPath(field))
    this.columns = columnNames(this.#fields)
    this.indexes = indexes.map((index, n) => this.#index(index, `${name}#${generation}.${n + 1}`))
  }

  /** Entry for the catalog, as it is now. */
  get cataloged(): CatalogedCollection {
    const indexes = this.indexes.map(({ fields, sort, multivalued }) => ({
      fields,
      ...(sort && { sort }),
      multivalued,
    }))
    return { ...this.#cataloged, indexes }
  }

  /** Returns the column of a field in an index. */
  column(field: string): string {
    return field === 'id' ? 'id' : this.columns[this.#fields.indexOf(field)]!
  }

  /** SQL that creates the table, and those for entries of arrays. */
  get creation(): string {
    const columns = this.columns.map((column) => `${column} NOT NULL, `).join('')
    const id = this.integerIds ? 'id INTEGER PRIMARY KEY' : 'id NOT NULL PRIMARY KEY'
    const entries = this.indexes.map(({ entries, columns }) => {
      const list = [...columns, 'id']
      return `CREATE TABLE ${entries} (${list.map((column) => `${column} NOT NULL`)}, PRIMARY KEY (${list})) WITHOUT ROWID;`
    })
    return `CREATE TABLE ${this.sql} (${id}, position INTEGER NOT NULL, ${columns}document TEXT NOT NULL); ${entries.join(' ')}`
  }

  /**
   * SQL that creates the missing indexes. Every entry ends in the rowid, which an integer id is: named as well, the id would be there
   * twice, and SQLite would not search by it.
   */
  get indexing(): string {
    const ids = this.integerIds ? [] : ['id']
    return this.indexes
      .filter(({ columns }) => columns.length + ids.length > 0)
      .map(({ sql, columns }) => `CREATE INDEX IF NOT EXISTS ${sql} ON ${this.sql} (${[...columns, ...ids]});`)
      .join(' ')
  }

  #index({ fields, sort, multivalued }: CatalogedIndex, name: string): TableIndex {
    const places = keysOf({ fields, ...(sort && { sort }) }).map((field) => this.#fields.indexOf(field))
    return {
      fields,
      ...(sort && { sort }),
      sql: quoted(name),
      entries: quoted(`${name} entries`),
      columns: places.map((place) => this.columns[place]!),
      places,
      multivalued,
    }
  }
}

/** Returns the fields of an index, each once, without the id, which every index has. */
const keysOf = ({ fields, sort = 'id' }: Index): readonly string[] => [
  ...new Set([...fields, sort].filter((field) => field !== 'id')),
]

/** Returns a column name for each field. SQLite does not distinguish capitals from small letters in names. */
const columnNames = (fields: readonly string[]): readonly string[] => {
  const taken = new Set(RESERVED)
  return fields.map((field) => {
    let name = field
    while (taken.has(name.toLowerCase())) name += '_'
    taken.add(name.toLowerCase())
    return quoted(name)
  })
}
