import { statSync } from 'node:fs'
import type { Database } from '../../../sqlite/binding.ts'
import { numberIn } from '../../../sqlite/open.ts'
import { isTight, writeAheadBytes } from '../../../sqlite/write-ahead.ts'

/** Bytes worth moving. A page that was written repeatedly is moved once, so a longer log costs less per write. A move takes 10 to 30 ms. */
const LEAST = 8 << 20
const MOST = 32 << 20
/** Bytes worth moving where the disk has little room. */
const TIGHT = 1 << 20

/** Moves what was committed from the write-ahead log into the file. */
export class WriteAheadLog {
  readonly #db: Database
  readonly #file: string
  /** Bytes that the last move left in the log, because of readers of an older state. */
  #rest = 0
  #worthwhile: number

  constructor(db: Database, file: string) {
    this.#db = db
    this.#file = file
    this.#worthwhile = worthwhile(file)
  }

  /** Size of the log, as a multiple of what is worth moving. */
  get worth(): number {
    return (writeAheadBytes(this.#file) - this.#rest) / this.#worthwhile
  }

  /** Moves what can be moved without waiting for readers longer than one of their turns takes. */
  move(): void {
    const busyTimeout = numberIn(this.#db, 'busy_timeout')
    this.#db.exec('PRAGMA busy_timeout = 20')
    try {
      this.moveAll()
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
      this.#rest = writeAheadBytes(this.#file)
      this.#worthwhile = worthwhile(this.#file)
    }
  }

  /** Moves everything and empties the log, unless a reader prevents it. */
  moveAll(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
}

const worthwhile = (file: string): number =>
  isTight(file) ? TIGHT : Math.min(MOST, Math.max(LEAST, statSync(file).size))
