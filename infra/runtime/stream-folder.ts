import { resources, tallies } from '../../domain/index.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { aggregatesOf } from '../../domain/resources/resource.ts'
import { createFolding } from '../../projections/folding.ts'
import { createStreamFolding, type StreamFolding, splitByStream } from '../../projections/stream-folding.ts'
import { createTallying } from '../../projections/tallying.ts'
import { openReadOnly } from '../log-db/open-reader.ts'
import { eventsOfStream } from '../log-db/stream-pages.ts'
import type { BulkChannel } from '../read-models/sqlite/rebuild/bulk-channel.ts'
import { RowSender } from '../read-models/sqlite/rebuild/row-sender.ts'
import type { CatalogedCollection } from '../read-models/sqlite/table.ts'
import { StorageUnavailable } from '../sqlite/failures.ts'
import { openKnownVault } from '../vault/sealing-vault.ts'
import { publicIdsOf } from './secrets.ts'

export interface StreamFolderData {
  /** Directory of the log and the keys. */
  readonly directory: string
  readonly secret: Uint8Array
  /** Position of the last event that is folded. */
  readonly head: number
  readonly channel: BulkChannel
  readonly collections: readonly CatalogedCollection[]
  /** 64-bit values at the indexes in `COUNTERS`, shared by all folding threads. */
  readonly counters: SharedArrayBuffer
}

/** Counters that all threads share: the position up to which streams are taken, and the number of events folded. */
export const COUNTERS = { taken: 0, events: 1 } as const

/** Number of positions that a thread takes at a time. It folds the streams that begin there. */
const TAKEN_AT_ONCE = 2048

/** The events of a stream are scattered over the file. A memory map halves the time to read them. This is the largest that the build allows. */
const MAPPED = 'PRAGMA mmap_size = 0x7fff0000'

/** Folds streams of a log into rows of documents, as one of several that share the work. */
export class StreamFolder {
  readonly #data: StreamFolderData
  readonly #counters: BigInt64Array
  readonly #log: ReturnType<typeof openReadOnly>
  readonly #sender: RowSender
  readonly #alone: StreamFolding
  /** Tells whether the events of an aggregate concern documents that are folded in the order of the log. */
  readonly #isJoined: (aggregate: string) => boolean
  readonly #aggregates: ReadonlySet<string>
  readonly #joinedAt: number[] = []

  /** @throws {Error} when the log cannot be read */
  constructor(data: StreamFolderData) {
    this.#data = data
    this.#counters = new BigInt64Array(data.counters)
    this.#log = openReadOnly(data.directory)
    this.#log.db.exec(MAPPED)
    this.#sender = new RowSender(data.channel, data.collections)
    const aggregates = aggregatesOf(resources)
    const { alone, joined } = splitByStream(resources)
    const secret = Buffer.from(data.secret)
    const vault = openKnownVault(this.#log.keys, secret)
    const deps = { vault, publicIds: publicIdsOf(secret), upcast: upcasterOf(aggregates) }
    this.#alone = createStreamFolding({ ...deps, resources: alone })
    const inOrder = [createFolding({ ...deps, resources: joined }), createTallying(tallies)]
    this.#isJoined = (aggregate) => inOrder.some((each) => each.concerns(aggregate))
    this.#aggregates = new Set(alone.map(({ aggregate }) => aggregate.name))
  }

  /**
   * Folds streams until none is left, or the load is stopped. Returns the positions of events that concern documents which
   * follow from several streams, which are left out.
   * @throws {Error} for an event that cannot be read, or was written by newer code; any error of SQLite
   */
  run(): readonly number[] {
    try {
      while (!this.#sender.isStopped && this.#foldSome());
      this.#sender.drain()
      return this.#joinedAt
    } catch (error) {
      // The error of SQLite reaches the other thread, but the class that wraps it would be lost.
      throw error instanceof StorageUnavailable ? error.cause : error
    }
  }

  close(): void {
    void this.#log.close()
    this.#data.channel.port.close()
  }

  #foldSome(): boolean {
    const { head } = this.#data
    const from = Number(Atomics.add(this.#counters, COUNTERS.taken, BigInt(TAKEN_AT_ONCE)))
    if (from > head) return false
    let events = 0
    for (const stream of this.#log.reader.begunIn(from, Math.min(head, from + TAKEN_AT_ONCE - 1))) {
      events += this.#fold(stream, head)
    }
    Atomics.add(this.#counters, COUNTERS.events, BigInt(events))
    return true
  }

  #fold(stream: string, head: number): number {
    const { name } = parseStream(stream)
    const [isAlone, isJoined] = [this.#aggregates.has(name), this.#isJoined(name)]
    let events = 0
    for (const event of eventsOfStream(this.#log.reader, stream, head)) {
      if (isAlone) this.#alone.add(event)
      if (isJoined) this.#joinedAt.push(event.position)
      events += 1
    }
    if (isAlone) this.#sender.add(this.#alone.end())
    return events
  }
}
