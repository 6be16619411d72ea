import { availableParallelism } from 'node:os'
import type { Fingerprints } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Filled } from '../../projections/rebuild.ts'
import { openReadOnly } from '../log-db/open-reader.ts'
import { logFile } from '../log-db/store.ts'
import type { BulkLoad } from '../read-models/sqlite/rebuild/bulk-load.ts'
import type { SqliteReadModels } from '../read-models/sqlite/store.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { Thread } from '../sqlite/thread.ts'
import { COUNTERS, type StreamFolderData } from './stream-folder.ts'

const module = new URL('./stream-folder-thread.js', import.meta.url)

/** Where the log, its keys, and the read models are. */
interface Places {
  readonly directory: string
  readonly secret: Uint8Array
  readonly views: SqliteReadModels
}

export interface Filling {
  readonly fingerprints: Fingerprints
  /** Position of the last event that goes into it. */
  readonly head: number
  /** How many threads fold. */
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** Told now and then how many events were folded. */
  readonly onEvents: (events: number) => void
}

/** Fewer events are folded in the order of the log before threads have begun. */
const WORTHWHILE = 20_000
const MOST_THREADS = 4

/** How many threads fold so many events; 0: none. Beside a service, a processor is left to it. */
export const threadsFor = (events: number, beside: boolean): number =>
  events < WORTHWHILE ? 0 : Math.max(1, Math.min(MOST_THREADS, availableParallelism() - (beside ? 1 : 0)))

const LOOKS_EVERY_MS = 200
/** Events of joined documents that are read in one turn of the loop. */
const PAGE = 256
/** Most of what a thread makes lives for a stream only: where it finds room, it is not moved about before it is dropped. */
const YOUNG_MIB = 48

/**
 * Fills the next generation of embedded read models from an embedded log, stream by stream, on threads: only final documents are written, each
 * once. In memory are the documents of a stream a thread, some batches of rows, and eight bytes for each event of joined documents.
 *
 * @throws {StorageUnavailable} when the log cannot be read or the documents cannot be written; {Error} for an event that is damaged; what `signal`
 * is aborted with. The live read models are as they were, and nothing of it stays.
 */
export const fillByStreams = async (places: Places, filling: Filling): Promise<Filled> => {
  const { directory, views } = places
  const { fingerprints, head, threads, signal } = filling
  const load = await views.load(threads)
  const stop = () => load.stop()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const joined = await fold(load, places, filling)
    await load.finish()
    const building = await views.rebuildOn(load, fingerprints)
    return { building, position: head, joined: eventsAt(directory, joined) }
  } catch (error) {
    await load.abandon()
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Gives the positions that were left out, in order. */
const fold = async (load: BulkLoad, { directory, secret }: Places, filling: Filling): Promise<readonly number[]> => {
  const { head, signal, onEvents } = filling
  const counters = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)
  const folded = () => Number(Atomics.load(new BigInt64Array(counters), COUNTERS.events))
  const collections = await load.look()
  const folders = load.channels.map((channel) => {
    const data: StreamFolderData = { directory, secret, head, channel, collections, counters }
    const options = { transferList: [channel.port], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } }
    return new Thread<'fold', readonly number[]>(module, data, options)
  })
  // A thread that writes no more, because it has died, would be waited for.
  const looking = setInterval(() => {
    onEvents(folded())
    load.look().catch(() => load.stop())
  }, LOOKS_EVERY_MS)
  try {
    const ends = await Promise.allSettled(folders.map((folder) => folder.ask('fold').catch(stopWith(load))))
    await load.look()
    signal?.throwIfAborted()
    const joined = ends.flatMap((end) => {
      if (end.status === 'fulfilled') return end.value
      throw asUnavailable(`The event log ${logFile(directory)} could not be read`, end.reason)
    })
    mustBeAll(folded(), head, directory)
    return joined.sort((a, b) => a - b)
  } finally {
    clearInterval(looking)
    for (const folder of folders) await folder.close()
  }
}

const stopWith = (load: BulkLoad) => (error: unknown) => {
  load.stop()
  throw error
}

/** What the index of streams has lost would go unnoticed. */
const mustBeAll = (folded: number, head: number, directory: string): void => {
  if (folded === head + 1) return
  throw new Error(
    `The event log ${logFile(directory)} is damaged: its streams have ${folded} events up to position ${head}, and should have ${head + 1}. ` +
      'See what `millrace verify` says, and restore it from a backup.',
  )
}

/** The events at these positions, a page of them in memory. */
async function* eventsAt(directory: string, positions: readonly number[]): AsyncGenerator<RecordedEvent> {
  if (positions.length === 0) return
  const log = openReadOnly(directory)
  try {
    for (let from = 0; from < positions.length; from += PAGE) {
      yield* log.reader.at(positions.slice(from, from + PAGE))
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    await log.close()
  }
}
