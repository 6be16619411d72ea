import type { Collection } from 'mongodb'
import type { LeaseStore } from '../leases.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicate } from './failures.ts'

interface LeaseRow {
  readonly _id: string
  readonly holder: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Leases as documents that are renewed in place, so that the collection does not grow. Waits for a server that cannot be reached. */
export class MongoLeases implements LeaseStore {
  readonly #connection: MongoConnection
  readonly #rows: Collection<LeaseRow>

  constructor(connection: MongoConnection, database?: string) {
    this.#connection = connection
    this.#rows = connection.db(database).collection('leases')
  }

  async take(name: string, holder: string, until: number, now: number): Promise<boolean> {
    const isFree = { _id: name, $or: [{ holder }, { until: { $lte: now } }] }
    try {
      await this.#connection.retrying(() => this.#rows.updateOne(isFree, { $set: { holder, until } }, { upsert: true }))
      return true
    } catch (error) {
      // The lease exists and is not free, so that the upsert tried to insert a second one.
      if (isDuplicate(error)) return false
      throw error
    }
  }

  async release(name: string, holder: string): Promise<void> {
    await this.#connection.retrying(() => this.#rows.deleteOne({ _id: name, holder }))
  }
}
