import { randomFillSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { forceToDisk } from '../force-to-disk.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { HALF_BYTES } from './key-store.ts'

/** Halves made and forced to disk together, so that many new keys need only one flush. */
const MADE_AT_ONCE = 4096
/** Halves read together, since keys are mostly read in the order in which they were made. */
const READ_AT_ONCE = 1024
const CHUNKS_IN_MEMORY = 128

const writeAt = promisify(write)
const flush = promisify(fdatasync)

/**
 * Random halves of keys, in a file that is overwritten in place. A database does not overwrite: removed data stays in free pages and in
 * the write-ahead log for a long time. So the database only gets keys XORed with a half from here, and a key is gone when its half is.
 * (This cannot reach copies of overwritten blocks that the disk or a snapshot keeps.)
 */
export class KeyHalves {
  readonly #path: string
  readonly #readOnly: boolean
  readonly #chunks = new LRUCache<number, Buffer>({ max: CHUNKS_IN_MEMORY })
  #file: number | undefined
  #next = 0
  #end = 0

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#path = path
    this.#readOnly = readOnly
  }

  /** Returns the number of a half that is on disk and was never used. @throws {StorageUnavailable} when there is no room for more */
  take(): number {
    try {
      if (this.#next === this.#end) this.#make()
    } catch (error) {
      throw asUnavailable(`${this.#path} could not be written`, error)
    }
    return this.#next++
  }

  /** Returns a half. @throws {Error} when the file has lost it */
  half(number: number): Buffer {
    const bytes = this.#bytesOf(number)
    if (bytes.length < HALF_BYTES) throw this.#lost()
    return bytes
  }

  /** Overwrites a half with zeros, on disk when it resolves. */
  async erase(number: number): Promise<void> {
    const file = this.#open()
    this.#chunks.delete(Math.floor(number / READ_AT_ONCE))
    await writeAt(file, Buffer.alloc(HALF_BYTES), 0, HALF_BYTES, number * HALF_BYTES)
    await flush(file)
    this.#chunks.delete(Math.floor(number / READ_AT_ONCE))
  }

  /** Whether a half has been erased, or was never on disk. */
  isBlank(number: number): boolean {
    return this.#bytesOf(number).every((byte) => byte === 0)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Makes halves behind all those in the file: a process that was killed may have used any of them. */
  #make(): void {
    const isNew = !existsSync(this.#path)
    const file = this.#open()
    const first = Math.ceil(fstatSync(file).size / HALF_BYTES)
    const halves = randomFillSync(Buffer.alloc(MADE_AT_ONCE * HALF_BYTES))
    writeSync(file, halves, 0, halves.length, first * HALF_BYTES)
    fdatasyncSync(file)
    if (isNew) forceToDisk(dirname(this.#path))
    this.#chunks.clear()
    this.#next = first
    this.#end = first + MADE_AT_ONCE
  }

  #bytesOf(number: number): Buffer {
    const chunk = Math.floor(number / READ_AT_ONCE)
    const bytes = this.#chunks.get(chunk) ?? this.#read(chunk)
    const at = (number % READ_AT_ONCE) * HALF_BYTES
    return bytes.subarray(at, at + HALF_BYTES)
  }

  #read(chunk: number): Buffer {
    if (this.#file === undefined && !existsSync(this.#path)) throw this.#lost()
    const bytes = Buffer.alloc(READ_AT_ONCE * HALF_BYTES)
    const length = readSync(this.#open(), bytes, 0, bytes.length, chunk * bytes.length)
    const filled = bytes.subarray(0, length)
    this.#chunks.set(chunk, filled)
    return filled
  }

  #open(): number {
    this.#file ??= openSync(this.#path, this.#readOnly ? 'r' : existsSync(this.#path) ? 'r+' : 'wx+', 0o600)
    return this.#file
  }

  #lost(): Error {
    return new Error(
      `${this.#path} is missing or cut short, and with it keys of personal data. Restore the directory from a backup as a whole.`,
    )
  }
}
