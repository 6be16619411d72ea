import type { Database } from 'lmdb'
import type { GroupCommit } from '../event-log/embedded/group-commit.ts'
import { type KeyStore, WRAPPED_KEY_BYTES } from './key-store.ts'

const TOMBSTONE = Buffer.of(0)

/**
 * Keys in a table beside the log. A new key rides with the batch that holds the next append, so that an event on disk has
 * its key on disk and no flush of its own is needed.
 */
export class EmbeddedKeyStore implements KeyStore {
  readonly #table: Database<Buffer, number>
  readonly #commit: GroupCommit
  /** Not yet in the table. */
  readonly #riding = new Map<number, Uint8Array>()

  /** @param table of binary values in the environment that `commit` writes to */
  constructor(table: Database<Buffer, number>, commit: GroupCommit) {
    this.#table = table
    this.#commit = commit
  }

  get(subject: number): Uint8Array | 'destroyed' | undefined {
    const riding = this.#riding.get(subject)
    if (riding) return riding
    const stored = this.#table.get(subject)
    return stored && stored.length !== WRAPPED_KEY_BYTES ? 'destroyed' : stored
  }

  create(subject: number, wrapped: Uint8Array): Uint8Array | 'destroyed' {
    const present = this.get(subject)
    if (present) return present
    this.#riding.set(subject, wrapped)
    this.#commit.ride({
      write: () => this.#table.put(subject, Buffer.from(wrapped)),
      written: () => this.#riding.delete(subject),
    })
    return wrapped
  }

  async destroy(subject: number): Promise<void> {
    await this.#commit.submit((write) => write(() => this.#table.put(subject, TOMBSTONE)))
  }
}
