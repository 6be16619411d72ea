import { Binary, type Collection } from 'mongodb'
import { callBatcher } from '../call-batcher.ts'
import type { KeyStore } from '../vault/key-store.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicate } from './failures.ts'
import { upserting } from './upserting.ts'

/** Whoever waits for an answer is told in this time that there is none. */
const PATIENCE_MS = 5000
const AT_ONCE = 1000

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
  readonly #get: (subject: number) => Promise<Uint8Array | 'destroyed' | undefined>
  readonly #keep: (first: Held) => Promise<Uint8Array | 'destroyed'>

  constructor(connection: MongoConnection, database?: string) {
    this.#connection = connection
    this.#held = connection.db(database).collection('vault_keys')
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
    const destroy = () => this.#held.updateOne({ _id: subject }, { $unset: { key: '' } }, { upsert: true })
    await this.#patiently(() => upserting(destroy))
  }

  async #find(subjects: readonly number[]): Promise<readonly (Uint8Array | 'destroyed' | undefined)[]> {
    const [only] = subjects
    const which = { _id: subjects.length === 1 ? only! : { $in: [...subjects] } }
    const held = await this.#patiently(() => this.#held.find(which).toArray())
    const found = new Map(held.map((one) => [one._id, keyIn(one)]))
    return subjects.map((subject) => found.get(subject))
  }

  async #insert(first: readonly Held[]): Promise<readonly (Uint8Array | 'destroyed')[]> {
    try {
      await this.#patiently(() => this.#held.insertMany(first, { ordered: false }))
      return first.map(keyIn)
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    const kept = await this.#find(first.map(({ _id }) => _id))
    return kept.map((key) => key!)
  }

  /** @throws {MongoUnavailable} */
  #patiently<T>(operation: () => Promise<T>): Promise<T> {
    return this.#connection.retrying(operation, undefined, PATIENCE_MS)
  }
}

const keyIn = ({ key }: Held): Uint8Array | 'destroyed' => key?.value() ?? 'destroyed'
