import { Binary, type Collection } from 'mongodb'
import { callBatcher } from '../call-batcher.ts'
import type { KeyStore } from '../vault/key-store.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicate } from './failures.ts'
import { retryUpsert } from './upserting.ts'

/** Longest wait for the server: a client may be waiting for the answer. */
const PATIENCE_MS = 5000
const AT_ONCE = 1000

interface KeyRow {
  readonly _id: number
  /** Missing once it has been destroyed. */
  readonly key?: Binary
}

/**
 * Keys as documents of a collection of their own, optionally in another database than the rest, so that it can be backed up by other
 * rules: restoring a key from a backup restores a person who was erased since. Waits only a little for a server that cannot be reached,
 * since a client may be waiting for the answer.
 */
export class MongoKeyStore implements KeyStore {
  readonly #connection: MongoConnection
  readonly #rows: Collection<KeyRow>
  readonly #get: (subject: number) => Promise<Uint8Array | 'destroyed' | undefined>
  readonly #keep: (first: KeyRow) => Promise<Uint8Array | 'destroyed'>

  constructor(connection: MongoConnection, database?: string) {
    this.#connection = connection
    this.#rows = connection.db(database).collection('vault_keys')
    this.#get = callBatcher((subjects) => this.#find(subjects), AT_ONCE)
    this.#keep = callBatcher((first) => this.#insert(first), AT_ONCE)
  }

  get(subject: number): Promise<Uint8Array | 'destroyed' | undefined> {
    return this.#get(subject)
  }

  keep(subject: number, first: () => Uint8Array): Promise<Uint8Array | 'destroyed'> {
    return this.#keep({ _id: subject, key: new Binary(first()) })
  }

  async destroy(subject: number): Promise<void> {
    const destroy = () => this.#rows.updateOne({ _id: subject }, { $unset: { key: '' } }, { upsert: true })
    await this.#patiently(() => retryUpsert(destroy))
  }

  async #find(subjects: readonly number[]): Promise<readonly (Uint8Array | 'destroyed' | undefined)[]> {
    const [only] = subjects
    const filter = { _id: subjects.length === 1 ? only! : { $in: [...subjects] } }
    const rows = await this.#patiently(() => this.#rows.find(filter).toArray())
    const found = new Map(rows.map((row) => [row._id, keyIn(row)]))
    return subjects.map((subject) => found.get(subject))
  }

  async #insert(first: readonly KeyRow[]): Promise<readonly (Uint8Array | 'destroyed')[]> {
    try {
      await this.#patiently(() => this.#rows.insertMany(first, { ordered: false }))
      return first.map(keyIn)
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    const keys = await this.#find(first.map(({ _id }) => _id))
    return keys.map((key) => key!)
  }

  /** @throws {MongoUnavailable} */
  #patiently<T>(operation: () => Promise<T>): Promise<T> {
    return this.#connection.retrying(operation, undefined, PATIENCE_MS)
  }
}

const keyIn = ({ key }: KeyRow): Uint8Array | 'destroyed' => key?.value() ?? 'destroyed'
