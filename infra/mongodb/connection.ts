import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, MongoClient, type TopologyDescription, type WriteConcernSettings } from 'mongodb'
import { MongoUnavailable } from './errors.ts'
import { outageOf, refusedAccessOf } from './failures.ts'
import { reviveWhenStuck } from './revival.ts'

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`. The path names the database; default: `millrace`. */
  readonly url: string
  /** Longest wait for an unreachable server, in milliseconds. Default: without end. */
  readonly patienceMs?: number
  /** Called with the name of each command when it is sent and when it ends, for measuring. */
  readonly onCommand?: (name: string, phase: 'sent' | 'ended') => void
  /** Called with a sentence before each new try to reach a server. */
  readonly onWaiting?: (message: string) => void
}

const DATABASE = 'millrace'
const FIRST_PAUSE_MS = 250
/** Longest pause between tries. A server is used again within two seconds of its return. */
const LONGEST_PAUSE_MS = 500
/** Longer than a replica set usually needs to elect a new primary, shorter than a client waits for an answer. */
const SELECTION_MS = 10_000

/** Longest wait of a write for a majority of the nodes, before that counts as an outage. */
const MAJORITY_MS = 10_000

/** Longest wait for the answer to a probe. The server may be busy for a moment. */
const PROBE_MS = 2000

const DURABLE: WriteConcernSettings = { w: 'majority', journal: true, wtimeoutMS: MAJORITY_MS }

/**
 * Connects. Waits for a server that cannot be reached.
 *
 * @throws {Error} for an invalid URL, for refused credentials, and when the patience is exhausted
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
  /** Latest state of the servers, as monitored by the driver. */
  #seen: TopologyDescription | undefined
  readonly #stopReviving: () => void
  #silence: string | undefined

  constructor({ url, patienceMs = Number.POSITIVE_INFINITY, onWaiting = () => undefined, onCommand }: MongoOptions) {
    this.#client = clientOf(url, Math.min(SELECTION_MS, patienceMs / 4), onCommand !== undefined)
    this.#database = databaseIn(url)
    this.#patienceMs = patienceMs
    this.#onWaiting = onWaiting
    this.#client.on('topologyDescriptionChanged', ({ newDescription }) => {
      this.#seen = newDescription
    })
    this.#stopReviving = reviveWhenStuck(this.#client, { isOut: () => this.outage !== undefined, say: onWaiting })
    if (!onCommand) return
    this.#client.on('commandStarted', ({ commandName }) => onCommand(commandName, 'sent'))
    this.#client.on('commandSucceeded', ({ commandName }) => onCommand(commandName, 'ended'))
    this.#client.on('commandFailed', ({ commandName }) => onCommand(commandName, 'ended'))
  }

  /** Reason why nothing can be written at present, as known without asking the server. `undefined` where writing should work. */
  get outage(): string | undefined {
    const servers = [...(this.#seen?.servers.values() ?? [])]
    if (servers.length === 0 || servers.some(({ isWritable }) => isWritable)) return undefined
    const problem = servers.find(({ error }) => error !== null)?.error?.message
    return `MongoDB at ${this.#hosts()} cannot be reached (${problem ?? 'no primary is known'})`
  }

  /** Reason why the last probe got no answer, although nothing was known to be wrong. `undefined` where it got one. */
  get silence(): string | undefined {
    return this.#silence
  }

  /**
   * Asks the primary whether it answers, unless it is known to be out of reach. The driver notices a server that stands still only after the
   * timeouts of its heartbeats, which add up to more than 20 seconds.
   */
  async probe(): Promise<void> {
    if (this.outage !== undefined) return
    const signal = AbortSignal.timeout(PROBE_MS)
    try {
      await this.db().command({ ping: 1 }, { signal })
      this.#silence = undefined
    } catch (error) {
      // A refusal is an answer too.
      this.#silence = signal.aborted ? `no answer within ${PROBE_MS} ms` : outageOf(error)
    }
  }

  /** Returns a database, written durably and read from the primary, against the URL if need be: stores must see what they wrote. */
  db(name = this.#database): Db {
    return this.#client.db(name, { readPreference: 'primary', writeConcern: DURABLE })
  }

  async ping(): Promise<void> {
    await this.#client.connect()
    await this.db().command({ ping: 1 })
  }

  /**
   * Runs an operation that is safe to repeat, and repeats it with growing pauses while the server cannot be reached.
   *
   * @param until ends the wait
   * @param patienceMs longest wait; default: the patience of the connection
   * @throws {MongoUnavailable} when the patience is exhausted, or the wait or the connection has ended; {Error} other errors of the operation
   */
  async retrying<T>(operation: () => Promise<T>, until?: AbortSignal, patienceMs = this.#patienceMs): Promise<T> {
    const signals = [this.#closing.signal, ...(until ? [until] : [])]
    const giveUpAt = performance.now() + patienceMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await operation()
      } catch (error) {
        const outage = outageOf(error)
        if (outage === undefined) throw this.#explained(error)
        const problem = `MongoDB at ${this.#hosts()} cannot be reached (${outage})`
        if (signals.some(({ aborted }) => aborted)) throw new MongoUnavailable(problem, { cause: error })
        if (performance.now() + pause >= giveUpAt) throw new MongoUnavailable(problem, { cause: error })
        this.#onWaiting(`${problem}; trying again in ${pause / 1000} s`)
        await waitFor(pause, AbortSignal.any(signals), problem)
      }
    }
  }

  /** Ends every wait. Later operations do not wait. */
  giveUp(): void {
    this.#stopReviving()
    this.#closing.abort()
  }

  /** Ends every wait and closes the connection. */
  async close(): Promise<void> {
    this.giveUp()
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
    throw new MongoUnavailable(`${problem}; it is no longer waited for`, { cause })
  }
}

const clientOf = (url: string, selectionMs: number, monitorCommands: boolean): MongoClient => {
  const limits = { serverSelectionTimeoutMS: selectionMs, connectTimeoutMS: selectionMs }
  const own = Object.entries(limits).filter(([name]) => !url.includes(`${name}=`))
  try {
    return new MongoClient(url, {
      appName: 'millrace',
      ignoreUndefined: true,
      monitorCommands,
      ...Object.fromEntries(own),
    })
  } catch (error) {
    if ((error as Error).name !== 'MongoParseError') throw error
    // The driver's message may repeat the URL, and the URL may hold a password.
    throw new Error(
      'the URL of MongoDB cannot be understood; it looks like mongodb://user:password@host:27017/database',
    )
  }
}

const databaseIn = (url: string): string => decodeURIComponent(/^[^/]+\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE)
