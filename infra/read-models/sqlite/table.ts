import type { Index } from '../../../domain/kernel/ports/read-models.ts'
import { FieldPath } from '../field-path.ts'

export interface CatalogedIndex extends Index {
  /** Whether any document ever held an array in a field of it. */
  readonly multivalued: boolean
}

/** A collection as the catalog has it. */
export interface CatalogedCollection {
  readonly name: string
  readonly generation: number
  readonly ids: 'integer' | 'any'
  readonly indexes: readonly CatalogedIndex[]
}

export interface TableIndex extends Index {
  readonly sql: string
  /** The table that holds its entries of documents with an array in one of the fields: a row a combination of elements. */
  readonly entries: string
  /** Columns of the fields, and of the sort value behind them, if it is not the id. */
  readonly columns: readonly string[]
  /** Where among the columns of the table those are. */
  readonly places: readonly number[]
  multivalued: boolean
}

/** Columns that every table has, and names that SQLite itself gives to one. */
const TAKEN = ['id', 'position', 'document', 'rowid', 'oid', '_rowid_']

/** A name as SQL text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The table of a collection: `id, position, <a column each indexed or sorted field>, document`. */
export class Table {
  readonly name: string
  readonly sql: string
  /** The statement that gives the document of an id. */
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

  /** As it stands in the catalog. */
  get cataloged(): CatalogedCollection {
    const indexes = this.indexes.map(({ fields, sort, multivalued }) => ({
      fields,
      ...(sort && { sort }),
      multivalued,
    }))
    return { ...this.#cataloged, indexes }
  }

  /** The column of a field by which an index sorts. */
  column(field: string): string {
    return field === 'id' ? 'id' : this.columns[this.#fields.indexOf(field)]!
  }

  /** Makes the table, and those for entries of arrays. */
  get creation(): string {
    const columns = this.columns.map((column) => `${column} NOT NULL, `).join('')
    const id = this.integerIds ? 'id INTEGER PRIMARY KEY' : 'id NOT NULL PRIMARY KEY'
    const entries = this.indexes.map(({ entries, columns }) => {
      const list = [...columns, 'id']
      return `CREATE TABLE ${entries} (${list.map((column) => `${column} NOT NULL`)}, PRIMARY KEY (${list})) WITHOUT ROWID;`
    })
    return `CREATE TABLE ${this.sql} (${id}, position INTEGER NOT NULL, ${columns}document TEXT NOT NULL); ${entries.join(' ')}`
  }

  /** Makes the indexes. Every entry ends in the rowid: named as well, an integer id would stand there twice, and not be searched by. */
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

/** What an index is over, each once, without the id that is in all of them. */
const keysOf = ({ fields, sort = 'id' }: Index): readonly string[] => [
  ...new Set([...fields, sort].filter((field) => field !== 'id')),
]

/** SQLite does not tell capitals from small letters in names. */
const columnNames = (fields: readonly string[]): readonly string[] => {
  const taken = new Set(TAKEN)
  return fields.map((field) => {
    let name = field
    while (taken.has(name.toLowerCase())) name += '_'
    taken.add(name.toLowerCase())
    return quoted(name)
  })
}
