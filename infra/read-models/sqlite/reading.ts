import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { SqlValue } from '../../sqlite/binding.ts'
import { type Encoded, encode } from './encoding.ts'
import type { Selection } from './source.ts'
import type { Statements } from './statements.ts'
import type { Table } from './table.ts'
import type { Entry } from './walk.ts'

/** A document that cannot be what was written. */
export class DamagedDocument extends Error {}

/** Reads one collection. */
export class Reading {
  readonly table: Table
  readonly #statements: Statements
  readonly #byId: string

  constructor(statements: Statements, table: Table) {
    this.#statements = statements
    this.table = table
    this.#byId = `SELECT document FROM ${table.sql} WHERE id = ?`
  }

  get(id: number | string): Document | undefined {
    // A column of integers would take the text of a number for the number.
    if (this.table.integerIds && typeof id !== 'number') return undefined
    return this.#getEncoded(encode(id))
  }

  /** The document of a row, which may be gone by now unless it was read with it. */
  documentOf({ place, document }: Entry): Document | undefined {
    return document === undefined ? this.#getEncoded(place[1]) : this.#parsed(document)
  }

  readonly rows = (text: string, values: readonly SqlValue[]): [Encoded, Encoded, string?][] =>
    this.#statements.of(text).all(...values)

  countRows({ text, values }: Selection, atMost: number): number {
    const [total]: [number] = this.#statements
      .of(`SELECT count(*) FROM (SELECT 1 ${text} LIMIT ? + 0)`)
      .get(...values, atMost)
    return total
  }

  /** How SQLite would read these columns of a selection. */
  explain(columns: string, { text, values }: Selection): string[] {
    const steps: [number, number, number, string][] = this.#statements
      .of(`EXPLAIN QUERY PLAN SELECT ${columns} ${text} LIMIT ? + 0`)
      .all(...values, 1)
    return steps.map(([, , , detail]) => detail)
  }

  #getEncoded(id: Encoded): Document | undefined {
    const row: [string] | undefined = this.#statements.of(this.#byId).get(id)
    return row && this.#parsed(row[0])
  }

  #parsed(document: string): Document {
    try {
      return JSON.parse(document)
    } catch (error) {
      throw new DamagedDocument(`a document of ${this.table.name} is no JSON`, { cause: error })
    }
  }
}
