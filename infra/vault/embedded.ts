import type { Database } from 'lmdb'
import type { MaybePromise } from '../../domain/kernel/ports/read-models.ts'
import type { GroupCommit } from '../event-log/embedded/group-commit.ts'
import type { KeyHalves } from './key-halves.ts'
import { type KeyStore, WRAPPED_KEY_BYTES } from './key-store.ts'

/** In place of the key of somebody who never had one. */
const TOMBSTONE = Buffer.of(0)
/** In front of a key, and all that is left of a destroyed one: the number of its half. */
const NUMBER_BYTES = 4

/**
 * Keys in a table beside the log, each readable only together with its half in a file of its own (see key-halves.ts). A new
 * key rides with the batch that holds the next append, so that an event on disk has its key on disk and no flush of its own
 * is needed.
 */
export class EmbeddedKeyStore implements KeyStore {
  readonly #table: Database<Buffer, number>
  readonly #commit: GroupCommit
  readonly #halves: KeyHalves
  /** As they will be in the table. */
  readonly #riding = new Map<number, Buffer>()

  /** @param table of binary values in the environment that `commit` writes to */
  constructor(table: Database<Buffer, number>, commit: GroupCommit, halves: KeyHalves) {
    this.#table = table
    this.#commit = commit
    this.#halves = halves
  }

  get(subject: number): Uint8Array | 'destroyed' | undefined {
    const stored = this.#riding.get(subject) ?? this.#table.get(subject)
    if (!stored) return undefined
    if (stored.length !== NUMBER_BYTES + WRAPPED_KEY_BYTES) return 'destroyed'
    return exclusiveOr(stored.subarray(NUMBER_BYTES), this.#halves.half(stored.readUInt32BE()))
  }

  create(subject: number, wrapped: Uint8Array): Uint8Array | 'destroyed' {
    const present = this.get(subject)
    if (present) return present
    const number = this.#halves.take()
    const stored = Buffer.alloc(NUMBER_BYTES + WRAPPED_KEY_BYTES)
    stored.writeUInt32BE(number)
    stored.set(exclusiveOr(wrapped, this.#halves.half(number)), NUMBER_BYTES)
    this.#riding.set(subject, stored)
    this.#commit.ride({
      write: () => this.#table.put(subject, stored),
      written: () => this.#riding.delete(subject),
    })
    return wrapped
  }

  /** The number stays behind, so that a repeat finishes what a crash has cut off. */
  async destroy(subject: number): Promise<void> {
    const stored = this.#riding.get(subject) ?? this.#table.get(subject) ?? TOMBSTONE
    const remains = Buffer.from(stored.subarray(0, NUMBER_BYTES))
    await this.#commit.submit((write) => write(() => this.#table.put(subject, remains)))
    if (remains.length === NUMBER_BYTES) await this.#halves.erase(remains.readUInt32BE())
  }
}

function exclusiveOr(one: Uint8Array, other: Uint8Array): Buffer {
  const result = Buffer.alloc(one.length)
  for (let i = 0; i < result.length; i++) result[i] = one[i]! ^ other[i]!
  return result
}

/**
 * The same table where the log is elsewhere: nothing to ride with, so a new key is on disk before anything is sealed under it.
 */
export class EmbeddedKeyStoreApart implements KeyStore {
  readonly #keys: EmbeddedKeyStore
  readonly #commit: GroupCommit
  /** On their way to the disk. */
  readonly #pending = new Map<number, Promise<Uint8Array | 'destroyed'>>()

  constructor(keys: EmbeddedKeyStore, commit: GroupCommit) {
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
    const pending = this.#commit.submit((write) => write(() => undefined)).then(() => kept)
    this.#pending.set(subject, pending)
    return pending.finally(() => this.#pending.delete(subject))
  }

  destroy(subject: number): Promise<void> {
    return this.#keys.destroy(subject)
  }
}
