import type { Database, Statement } from './binding.ts'

/** Many times the shapes of queries and changes that there are. */
const KEPT = 1000

/** The prepared statements of a connection, by their text. */
export class Statements {
  readonly #db: Database
  readonly #prepared = new Map<string, Statement>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Its rows come as arrays: objects take longer. */
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
