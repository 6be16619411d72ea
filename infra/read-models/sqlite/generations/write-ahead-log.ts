import { statSync } from 'node:fs'
import type { Database } from '../../../sqlite/binding.ts'
import { numberIn } from '../../../sqlite/open.ts'
import { isTight, writeAheadBytes } from '../../../sqlite/write-ahead.ts'

/** Pages that are written again and again are moved once: the more has gathered, the less it costs for each. It takes some 10 to 30 ms. */
const LEAST = 8 << 20
const MOST = 32 << 20
/** Where the disk has little room. */
const TIGHT = 1 << 20

/** Moves what was committed from the write-ahead log into the file. */
export class WriteAheadLog {
  readonly #db: Database
  readonly #file: string
  /** What it was left with, by readers of an older state. */
  #rest = 0
  #worthwhile: number

  constructor(db: Database, file: string) {
    this.#db = db
    this.#file = file
    this.#worthwhile = worthwhile(file)
  }

  /** How many times what is worth moving has gathered. */
  get worth(): number {
    return (writeAheadBytes(this.#file) - this.#rest) / this.#worthwhile
  }

  /** Moves what can be moved without waiting for readers longer than a turn of theirs. */
  move(): void {
    const patience = numberIn(this.#db, 'busy_timeout')
    this.#db.exec('PRAGMA busy_timeout = 20')
    try {
      this.moveAll()
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${patience}`)
      this.#rest = writeAheadBytes(this.#file)
      this.#worthwhile = worthwhile(this.#file)
    }
  }

  /** Moves everything, and empties the log, unless a reader stands in the way. */
  moveAll(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
}

const worthwhile = (file: string): number =>
  isTight(file) ? TIGHT : Math.min(MOST, Math.max(LEAST, statSync(file).size))
