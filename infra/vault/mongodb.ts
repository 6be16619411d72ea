import { Binary, type Collection } from 'mongodb'
import type { MongoConnection } from '../mongodb/connection.ts'
import { upserting } from '../mongodb/upserting.ts'
import type { KeyStore } from './key-store.ts'

/** Whoever waits for an answer is told in this time that there is none. */
const PATIENCE_MS = 5000

interface Held {
  readonly _id: number
  /** Absent once it has been destroyed. */
  readonly key?: Binary
}

/**
 * Keys as documents of a collection of their own, optionally in another database than the rest, so that it can be backed up
 * by other rules: a backup that holds a key brings back whoever was erased since. Waits a little for a server that cannot be reached, since
 * somebody may wait for the answer.
 */
export class MongoKeyStore implements KeyStore {
  readonly #connection: MongoConnection
  readonly #held: Collection<Held>

  constructor(connection: MongoConnection, database?: string) {
    this.#connection = connection
    this.#held = connection.db(database).collection('vault_keys')
  }

  async get(subject: number): Promise<Uint8Array | 'destroyed' | undefined> {
    const held = await this.#patiently(() => this.#held.findOne({ _id: subject }))
    return held ? keyIn(held) : undefined
  }

  async keep(subject: number, first: () => Uint8Array): Promise<Uint8Array | 'destroyed'> {
    const keep = { $setOnInsert: { key: new Binary(first()) } }
    const options = { upsert: true, returnDocument: 'after' } as const
    const held = await this.#upsert(() => this.#held.findOneAndUpdate({ _id: subject }, keep, options))
    return keyIn(held!)
  }

  async destroy(subject: number): Promise<void> {
    await this.#upsert(() => this.#held.updateOne({ _id: subject }, { $unset: { key: '' } }, { upsert: true }))
  }

  #upsert<T>(upsert: () => Promise<T>): Promise<T> {
    return this.#patiently(() => upserting(upsert))
  }

  /** @throws {MongoUnavailable} */
  #patiently<T>(operation: () => Promise<T>): Promise<T> {
    return this.#connection.retrying(operation, undefined, PATIENCE_MS)
  }
}

const keyIn = ({ key }: Held): Uint8Array | 'destroyed' => key?.value() ?? 'destroyed'
