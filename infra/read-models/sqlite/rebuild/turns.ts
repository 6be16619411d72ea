import { nextTurn } from '../../../../domain/kernel/values/turns.ts'
import type { Database } from '../../../sqlite/binding.ts'

/** Time for which one caller may hold the event loop. */
const TURN_MS = 4

/** Runs steps until one returns true, or the turn is over. @returns whether a step returned true */
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

/** Runs steps until one returns true, over as many turns of the event loop as it takes. Returns nothing when this turn was enough. */
export const inTurns = (step: () => boolean): Promise<void> | undefined =>
  forATurn(step) ? undefined : inLaterTurns(step)

/** Transaction for all reads in one turn of the event loop: they see one state, and the file is locked once. */
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
    // The transaction only reads, so the rollback loses nothing.
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }
}
