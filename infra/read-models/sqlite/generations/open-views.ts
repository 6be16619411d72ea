import type { Database } from '../../../sqlite/binding.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../../sqlite/failures.ts'
import { DamagedDocument } from '../document.ts'
import { inTurns, Snapshot } from '../rebuild/turns.ts'

/** Called with the reason when damage is found. */
export type OnDamage = (reason: string) => void

/** File of read models that is open for reading, in one turn of the event loop or over several. */
export class OpenViews {
  readonly #db: Database
  readonly #path: string
  readonly #onDamage: OnDamage
  readonly #snapshot: Snapshot | undefined
  /** Number of reads that continue over turns of the event loop. */
  #underway = 0
  #isClosed = false

  /** @param asOne whether all reads in one turn of the event loop see one state, until `endTurn` */
  constructor(db: Database, path: string, onDamage: OnDamage, asOne: boolean) {
    this.#db = db
    this.#path = path
    this.#onDamage = onDamage
    this.#snapshot = asOne ? new Snapshot(db) : undefined
  }

  /** Closes the file. Reads under way finish first. */
  closeReading(): void {
    this.#isClosed = true
    this.endTurn()
    if (this.#underway === 0 && this.#db.isOpen) this.#db.close()
  }

  /** Reports damage. @returns the error to throw */
  damaged(error: unknown): StorageUnavailable {
    this.#onDamage(error instanceof Error ? error.message : String(error))
    const what = `The read models ${this.#path} cannot be used any more`
    const remedy = 'they are damaged. Restart the service, which builds them anew.'
    return new StorageUnavailable(what, 'damaged', error, remedy)
  }

  /** Ends the common state of a turn: later reads see what has been written meanwhile. */
  protected endTurn(): void {
    this.#snapshot?.end()
  }

  /** Runs a read. @throws {StorageUnavailable} for errors of the storage */
  protected guarded<T>(read: () => T): T {
    try {
      this.#snapshot?.begin()
      return read()
    } catch (error) {
      this.endTurn()
      if (error instanceof DamagedDocument || troubleOf(error) === 'damaged') throw this.damaged(error)
      throw asUnavailable(`The read models ${this.#path} could not be read`, error)
    }
  }

  /** Reads in steps until one returns true. Returns nothing when this turn was enough. */
  protected inTurns(step: () => boolean): Promise<void> | undefined {
    const laterTurns = inTurns(() => this.guarded(step))
    if (!laterTurns) return undefined
    this.#underway++
    return laterTurns.finally(() => {
      this.#underway--
      if (this.#isClosed) this.closeReading()
    })
  }
}
