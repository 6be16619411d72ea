import type { Database } from '../../sqlite/binding.ts'

let turns: Promise<unknown> = Promise.resolve()

/** One at a time, however many are waited for: work for many callers does not hold up the thread for longer than for one. */
const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

/** Goes on step by step, each in a turn of the loop of its own, until one says that it was the last. */
export const takingTurns = async (step: () => boolean): Promise<void> => {
  do await nextTurn()
  while (!step())
}

/** A transaction for all that is read in one turn of the loop: it sees one state, and locks the file once. */
export class Snapshot {
  readonly #db: Database
  #ending: NodeJS.Immediate | undefined

  constructor(db: Database) {
    this.#db = db
  }

  begin(): void {
    if (this.#ending) return
    this.#db.exec('BEGIN')
    this.#ending = setImmediate(() => this.end())
  }

  end(): void {
    clearImmediate(this.#ending)
    this.#ending = undefined
    // Nothing was written, so that nothing is lost.
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }
}
