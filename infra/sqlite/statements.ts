import type { Database, Statement } from './binding.ts'

/** Most statements kept: many times the number of different queries and changes. */
const KEPT = 1000

/** Prepared statements of a connection, by their text. */
export class Statements {
  readonly #db: Database
  readonly #prepared = new Map<string, Statement>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the prepared statement. Its rows are arrays, because objects take longer. */
  of(text: string): Statement {
    let statement = this.#prepared.get(text)
    if (!statement) {
      if (this.#prepared.size >= KEPT) this.#prepared.clear()
      statement = this.#db.prepare(text)
      statement.setReturnArrays(true)
      this.#prepared.set(text, statement)
    }
    return statement
  }
}
