import { nextTurn } from '../../../../projections/turns.ts'
import type { Database } from '../../../sqlite/binding.ts'

/** How long one caller may hold the loop. */
const TURN_MS = 4

/** Goes on for as long as a turn may last. @returns whether a step said that it was the last */
const forATurn = (step: () => boolean): boolean => {
  const end = performance.now() + TURN_MS
  do if (step()) return true
  while (performance.now() < end)
  return false
}

const inLaterTurns = async (step: () => boolean): Promise<void> => {
  do await nextTurn()
  while (!forATurn(step))
}

/** Goes on step by step, in as many turns of the loop as it takes, until one says that it was the last; gives nothing when this turn was enough. */
export const inTurns = (step: () => boolean): Promise<void> | undefined =>
  forATurn(step) ? undefined : inLaterTurns(step)

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
