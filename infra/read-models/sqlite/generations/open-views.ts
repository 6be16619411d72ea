import type { Database } from '../../../sqlite/binding.ts'
import { asUnavailable, StorageUnavailable, troubleOf } from '../../../sqlite/failures.ts'
import { DamagedDocument } from '../document.ts'
import { inTurns, Snapshot } from '../rebuild/turns.ts'

/** Told what was found damaged. */
export type OnDamage = (reason: string) => void

/** A file of read models that is open to be read, in one turn of the loop or in several. */
export class OpenViews {
  readonly #db: Database
  readonly #path: string
  readonly #onDamage: OnDamage
  readonly #snapshot: Snapshot | undefined
  /** Reads that go on over turns of the loop. */
  #underway = 0
  #isClosed = false

  /** @param asOne whether what is read in one turn of the loop sees one state, until `endTurn` */
  constructor(db: Database, path: string, onDamage: OnDamage, asOne: boolean) {
    this.#db = db
    this.#path = path
    this.#onDamage = onDamage
    this.#snapshot = asOne ? new Snapshot(db) : undefined
  }

  /** Reads under way are finished first. */
  closeReading(): void {
    this.#isClosed = true
    this.endTurn()
    if (this.#underway === 0 && this.#db.isOpen) this.#db.close()
  }

  /** Tells of damage. @returns what to throw */
  damaged(error: unknown): StorageUnavailable {
    this.#onDamage(error instanceof Error ? error.message : String(error))
    const what = `The read models ${this.#path} cannot be used any more`
    const remedy = 'they are damaged. Restart the service, which builds them anew.'
    return new StorageUnavailable(what, 'damaged', error, remedy)
  }

  /** From here on reads see what has been written meanwhile. */
  protected endTurn(): void {
    this.#snapshot?.end()
  }

  /** @throws {StorageUnavailable} for what the storage throws */
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

  /** Reads step by step until one says that it was the last; gives nothing when this turn was enough. */
  protected inTurns(step: () => boolean): Promise<void> | undefined {
    const going = inTurns(() => this.guarded(step))
    if (!going) return undefined
    this.#underway++
    return going.finally(() => {
      this.#underway--
      if (this.#isClosed) this.closeReading()
    })
  }
}
