import type { MaybePromise } from '../../domain/kernel/ports/read-models.ts'
import type { GroupCommit } from '../event-log/sqlite/group-commit.ts'
import type { Database, Statement } from '../sqlite/binding.ts'
import type { KeyHalves } from './key-halves.ts'
import type { KeyStore } from './key-store.ts'

/** A key as it is, or will be, in the table. */
interface Kept {
  readonly slot: number | null
  readonly half: Uint8Array | null
}

type KeyRow = readonly [slot: number | null, half: Uint8Array | null]

/** Reads keys, each from its row and its half in a file of its own (see key-halves.ts). */
export class SqliteKeys {
  readonly #row: Statement
  readonly #halves: KeyHalves

  constructor(db: Database, halves: KeyHalves) {
    this.#row = db.prepare('SELECT slot, half FROM key WHERE subject = ?')
    this.#row.setReturnArrays(true)
    this.#halves = halves
  }

  kept(subject: number): Kept | undefined {
    const row = this.#row.get(subject) as KeyRow | undefined
    return row && { slot: row[0], half: row[1] }
  }

  get(subject: number): Uint8Array | 'destroyed' | undefined {
    const kept = this.kept(subject)
    return kept && this.whole(kept)
  }

  /** A blank half, too, is all that is left of a key: a backup may have its row from before and its half from after. */
  whole({ slot, half }: Kept): Uint8Array | 'destroyed' {
    if (slot === null || half === null) return 'destroyed'
    const other = this.#halves.half(slot)
    return other.every((byte) => byte === 0) ? 'destroyed' : exclusiveOr(half, other)
  }
}

/**
 * Keys in a table beside the log. A new key rides with the batch that holds the next append, so that an event on disk has its key
 * on disk and no flush of its own is needed.
 */
export class SqliteKeyStore implements KeyStore {
  readonly #keys: SqliteKeys
  readonly #commit: GroupCommit
  readonly #halves: KeyHalves
  readonly #riding = new Map<number, Kept>()

  constructor(keys: SqliteKeys, commit: GroupCommit, halves: KeyHalves) {
    this.#keys = keys
    this.#commit = commit
    this.#halves = halves
  }

  get(subject: number): Uint8Array | 'destroyed' | undefined {
    const riding = this.#riding.get(subject)
    return riding ? this.#keys.whole(riding) : this.#keys.get(subject)
  }

  create(subject: number, wrapped: Uint8Array): Uint8Array | 'destroyed' {
    const present = this.get(subject)
    if (present) return present
    const slot = this.#halves.take()
    const half = exclusiveOr(wrapped, this.#halves.half(slot))
    this.#riding.set(subject, { slot, half })
    this.#commit.ride({
      write: () => ({ kind: 'key', subject, ...(this.#riding.get(subject) ?? { slot, half }) }),
      written: () => this.#riding.delete(subject),
    })
    return wrapped
  }

  /** The number of the slot stays behind, so that a repeat, or the next start, finishes what a crash has cut off. */
  async destroy(subject: number): Promise<void> {
    const riding = this.#riding.get(subject)
    const { slot } = riding ?? this.#keys.kept(subject) ?? { slot: null }
    const remains: Kept = { slot, half: null }
    if (riding) this.#riding.set(subject, remains)
    await this.#commit.submit({ kind: 'key', subject, ...remains })
    if (slot !== null) await this.#halves.erase(slot)
  }
}

const exclusiveOr = (one: Uint8Array, other: Uint8Array): Buffer => {
  const result = Buffer.alloc(one.length)
  for (let i = 0; i < result.length; i++) result[i] = one[i]! ^ other[i]!
  return result
}

/**
 * The same table where the log is elsewhere: nothing to ride with, so a new key is on disk before anything is sealed under it.
 */
export class SqliteKeyStoreApart implements KeyStore {
  readonly #keys: SqliteKeyStore
  readonly #commit: GroupCommit
  /** On their way to the disk. */
  readonly #pending = new Map<number, Promise<Uint8Array | 'destroyed'>>()

  constructor(keys: SqliteKeyStore, commit: GroupCommit) {
    this.#keys = keys
    this.#commit = commit
  }

  get(subject: number): MaybePromise<Uint8Array | 'destroyed' | undefined> {
    return this.#pending.get(subject) ?? this.#keys.get(subject)
  }

  create(subject: number, wrapped: Uint8Array): MaybePromise<Uint8Array | 'destroyed'> {
    const present = this.get(subject)
    if (present instanceof Promise) return present.then((key) => key ?? wrapped)
    if (present) return present
    const kept = this.#keys.create(subject, wrapped)
    const pending = this.#commit.flush().then(() => kept)
    this.#pending.set(subject, pending)
    return pending.finally(() => this.#pending.delete(subject))
  }

  destroy(subject: number): Promise<void> {
    return this.#keys.destroy(subject)
  }
}
