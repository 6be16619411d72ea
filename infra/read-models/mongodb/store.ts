import type { Db } from 'mongodb'
import type {
  CollectionSpec,
  Fingerprints,
  LastChanges,
  ReadModelStore,
  ReadModels,
  RebuildOptions,
} from '../../../domain/kernel/ports/read-models.ts'
import { callBatcher } from '../../call-batcher.ts'
import { connectMongo, type MongoConnection, type MongoOptions } from '../../mongodb/connection.ts'
import { Generation } from './generation.ts'
import { LiveReadModels } from './live-read-models.ts'
import { ChangeStreamsUnsupported, type CheckpointSubscription, openNews } from './news.ts'
import {
  begin,
  dropGeneration,
  type Pointer,
  readFingerprints,
  readPointer,
  sweep,
  takeOver,
  writeFingerprints,
} from './pointer.ts'
import { MongoRebuild, superseded } from './rebuild.ts'

export interface ReadModelOptions {
  readonly collections: readonly CollectionSpec[]
  /** Default: the database in the URL of the connection. */
  readonly database?: string
  /** Time for which other processes may continue to read a replaced generation, in milliseconds. */
  readonly graceMs?: number
}

const GRACE_MS = 60_000
/** Highest age of a process's knowledge of the live generation when it reads. */
const POINTER_AGE_MS = 1000

/**
 * Opens read models on a connection of their own. Waits for a server that cannot be reached.
 *
 * @throws {Error} for an invalid URL, for refused credentials, and when the patience is exhausted
 */
export const openMongoReadModels = async (options: MongoOptions & ReadModelOptions): Promise<MongoReadModels> => {
  const connection = await connectMongo(options)
  return openReadModelsOn(connection, options, () => connection.close())
}

/** Opens read models on a shared connection. Calls `onClosed` when they no longer use it. */
export const openReadModelsOn = async (
  connection: MongoConnection,
  options: ReadModelOptions,
  onClosed: () => Promise<void> = async () => undefined,
): Promise<MongoReadModels> => {
  const store = new MongoReadModels(connection, options, onClosed)
  await store.sweep()
  return store
}

/** Read models in MongoDB: collections of a generation, and one document that says which generation is live. */
export class MongoReadModels implements ReadModelStore {
  readonly live: ReadModels
  readonly lastChanges: () => Promise<LastChanges | undefined>
  readonly #connection: MongoConnection
  readonly #db: Db
  readonly #specs: ReadonlyMap<string, CollectionSpec>
  readonly #graceMs: number
  readonly #onClosed: () => Promise<void>
  readonly #shown: LiveReadModels
  readonly #closing = new AbortController()
  #current: Generation | undefined
  #pointer: Pointer = { last: 0 }
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<boolean> | undefined
  #unfinished: MongoRebuild | undefined
  #sweeping: NodeJS.Timeout | undefined
  #hasNews = true

  constructor(connection: MongoConnection, options: ReadModelOptions, onClosed: () => Promise<void>) {
    this.#connection = connection
    this.#db = connection.db(options.database)
    this.#specs = new Map(options.collections.map((spec) => [spec.name, spec]))
    this.#graceMs = options.graceMs ?? GRACE_MS
    this.#onClosed = onClosed
    this.#shown = new LiveReadModels({
      known: () => this.#current,
      current: () => this.#fresh(),
      retrying: (operation) => this.#retrying(operation),
    })
    this.live = this.#shown
    // Requests at the same moment share one query, which begins after all of them.
    const read = callBatcher(async (asked: readonly undefined[]) => {
      const changes = await this.#shown.lastChanges()
      return asked.map(() => changes)
    })
    this.lastChanges = () => read(undefined)
  }

  async fingerprints(): Promise<Fingerprints | undefined> {
    await this.#retrying(() => this.refresh())
    const { live } = this.#pointer
    return live === undefined ? undefined : this.#retrying(() => readFingerprints(this.#db, live))
  }

  async note(fingerprints: Fingerprints): Promise<void> {
    const { live } = this.#pointer
    if (live !== undefined) await this.#retrying(() => writeFingerprints(this.#db, live, fingerprints))
  }

  /** Shows the generation that took over last, in this process or another. Returns whether that is a new one. */
  refresh(): Promise<boolean> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async rebuild(fingerprints: Fingerprints, options: RebuildOptions = {}): Promise<MongoRebuild> {
    await this.#unfinished?.abandon()
    const number = await this.#retrying(() => begin(this.#db))
    await this.sweep()
    const generation = new Generation(this.#db, number, this.#specs)
    const carriedOver = await this.#carryOver(options, generation)
    this.#unfinished = new MongoRebuild(generation, carriedOver, {
      retrying: (operation) => this.#retrying(operation),
      isLast: async () => {
        await this.#fresh()
        return this.#pointer.last <= number
      },
      takeOver: () => this.#takeOver(generation, fingerprints),
      drop: () => this.#retrying(() => dropGeneration(this.#db, number)),
    })
    return this.#unfinished
  }

  /** Reports positions that other processes reach. Returns nothing for a server without change streams. @throws {Error} when it cannot be reached */
  async news(heard: (position?: number) => void, ended: () => void): Promise<CheckpointSubscription | undefined> {
    if (!this.#hasNews) return undefined
    try {
      return await openNews(this.#db, { current: () => this.#current?.number, heard, ended })
    } catch (error) {
      if (!(error instanceof ChangeStreamsUnsupported)) throw error
      this.#hasNews = false
      return undefined
    }
  }

  /** Drops what is left of earlier generations. */
  async sweep(): Promise<void> {
    await this.#retrying(async () => {
      await sweep(this.#db, Date.now(), this.#graceMs)
      await this.refresh()
    })
  }

  /** Finishes the applies under way, unless the server cannot be reached, and drops an unfinished rebuild. */
  async close(): Promise<void> {
    clearTimeout(this.#sweeping)
    this.#closing.abort()
    // The next rebuild sweeps what stays behind.
    await this.#unfinished?.abandon().catch(() => undefined)
    await this.#shown.settled()
    await this.#onClosed()
  }

  /** Copies collections of the live generation. Returns the position up to which the copies have everything. */
  async #carryOver({ carryOver = [], signal }: RebuildOptions, into: Generation): Promise<number> {
    const from = await this.#fresh()
    if (!from || carryOver.length === 0) return -1
    try {
      // Read before the copy: events that are written meanwhile are applied again.
      const position = await this.#retrying(() => from.checkpoint())
      for (const name of carryOver) {
        signal?.throwIfAborted()
        await this.#retrying(() => into.keep(name, from))
      }
      return position
    } catch (error) {
      await dropGeneration(this.#db, into.number).catch(() => undefined)
      throw error
    }
  }

  async #takeOver(generation: Generation, fingerprints: Fingerprints): Promise<void> {
    const since = Date.now()
    const { number } = generation
    await this.#retrying(() => writeFingerprints(this.#db, number, fingerprints))
    const isLive = await this.#retrying(() => takeOver(this.#db, number, since))
    if (!isLive) throw superseded()
    this.#pointer = { last: number, live: number, since }
    this.#current = generation
    this.#shown.adopt(generation)
    await this.sweep()
    const sweepAgain = () => void this.sweep().catch(() => undefined)
    clearTimeout(this.#sweeping)
    this.#sweeping = setTimeout(sweepAgain, this.#graceMs).unref()
  }

  #retrying<T>(operation: () => Promise<T>): Promise<T> {
    return this.#connection.retrying(operation, this.#closing.signal)
  }

  /** Returns the live generation as known a moment ago. A process that reads asks for it once a second at most; an idle one never asks. */
  async #fresh(): Promise<Generation | undefined> {
    if (!this.#current || performance.now() - this.#readAt > POINTER_AGE_MS) await this.refresh()
    return this.#current
  }

  async #read(): Promise<boolean> {
    const askedAt = performance.now()
    const pointer = await readPointer(this.#db)
    this.#readAt = askedAt
    const known = this.#current?.number ?? 0
    // A generation that took over through this process may be newer than the answer. Numbers only rise.
    if ((pointer.live ?? 0) >= known) this.#pointer = pointer
    if (pointer.live === undefined || pointer.live <= known) return false
    this.#current = new Generation(this.#db, pointer.live, this.#specs)
    return true
  }
}
