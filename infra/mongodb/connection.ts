import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, MongoClient, type WriteConcernSettings } from 'mongodb'
import { outageOf, refusedAccessOf } from './failures.ts'

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, with the database in its path where that is not `millrace`. */
  readonly url: string
  /** How long an unreachable server is waited for, in milliseconds; default: as long as it takes. */
  readonly patienceMs?: number
  /** Told in a sentence each time a server that cannot be reached is about to be tried again. */
  readonly onWaiting?: (message: string) => void
}

const DATABASE = 'millrace'
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** Longer than a replica set usually needs to elect a new primary, shorter than a client waits for an answer. */
const SELECTION_MS = 10_000

/** How long a write may wait for a majority of the nodes before that counts as an outage. */
const MAJORITY_MS = 10_000

const DURABLE: WriteConcernSettings = { w: 'majority', journal: true, wtimeoutMS: MAJORITY_MS }

/**
 * Connects, waiting for a server that cannot be reached.
 *
 * @throws {Error} for a URL that is none, for refused credentials, and when the patience is at an end
 */
export const connectMongo = async (options: MongoOptions): Promise<MongoConnection> => {
  const connection = new MongoConnection(options)
  try {
    await connection.retrying(() => connection.ping())
  } catch (error) {
    await connection.close()
    throw error
  }
  return connection
}

/** One MongoDB, shared by all stores of a process. */
export class MongoConnection {
  readonly #client: MongoClient
  readonly #database: string
  readonly #patienceMs: number
  readonly #onWaiting: (message: string) => void
  readonly #closing = new AbortController()

  constructor({ url, patienceMs = Number.POSITIVE_INFINITY, onWaiting = () => undefined }: MongoOptions) {
    this.#client = clientOf(url, Math.min(SELECTION_MS, patienceMs / 4))
    this.#database = databaseIn(url)
    this.#patienceMs = patienceMs
    this.#onWaiting = onWaiting
  }

  /** A database, written durably and read from the primary, whatever the URL says: stores must see what they wrote. */
  db(name = this.#database): Db {
    return this.#client.db(name, { readPreference: 'primary', writeConcern: DURABLE })
  }

  async ping(): Promise<void> {
    await this.#client.connect()
    await this.db().command({ ping: 1 })
  }

  /**
   * Runs what is safe to repeat, and runs it again with growing pauses while the server cannot be reached.
   *
   * @param until ends the waiting
   * @throws {Error} what the operation throws otherwise, and when the patience is at an end or the connection is closed
   */
  async retrying<T>(operation: () => Promise<T>, until?: AbortSignal): Promise<T> {
    const signals = [this.#closing.signal, ...(until ? [until] : [])]
    const giveUpAt = performance.now() + this.#patienceMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await operation()
      } catch (error) {
        const outage = outageOf(error)
        if (outage === undefined || signals.some(({ aborted }) => aborted)) throw this.#explained(error)
        const problem = `MongoDB at ${this.#hosts()} cannot be reached (${outage})`
        if (performance.now() + pause >= giveUpAt) throw new Error(problem, { cause: error })
        this.#onWaiting(`${problem}; trying again in ${pause / 1000} s`)
        await waitFor(pause, AbortSignal.any(signals), problem)
      }
    }
  }

  /** Ends every wait as well. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client.close()
  }

  #explained(error: unknown): unknown {
    const refused = refusedAccessOf(error)
    if (refused === undefined) return error
    const { username } = this.#client.options.credentials ?? {}
    const user = username ? `the user "${username}"` : 'a client without credentials'
    const remedy = 'check user name, password, authSource and roles'
    return new Error(`MongoDB at ${this.#hosts()} refuses ${user} (${refused}): ${remedy}`, { cause: error })
  }

  #hosts(): string {
    const { srvHost, hosts } = this.#client.options
    return srvHost ?? hosts.join(', ')
  }
}

const waitFor = async (ms: number, signal: AbortSignal, problem: string): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new Error(`${problem}; it is no longer waited for`, { cause })
  }
}

const clientOf = (url: string, selectionMs: number): MongoClient => {
  const limits = { serverSelectionTimeoutMS: selectionMs, connectTimeoutMS: selectionMs }
  const own = Object.entries(limits).filter(([name]) => !url.includes(`${name}=`))
  try {
    return new MongoClient(url, { appName: 'millrace', ignoreUndefined: true, ...Object.fromEntries(own) })
  } catch (error) {
    if ((error as Error).name !== 'MongoParseError') throw error
    // The driver's message may repeat the URL, and the URL may hold a password.
    throw new Error(
      'the URL of MongoDB cannot be understood; it looks like mongodb://user:password@host:27017/database',
    )
  }
}

const databaseIn = (url: string): string => decodeURIComponent(/^[^/]+\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE)
