import { availableParallelism } from 'node:os'
import type { Fingerprints } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { FilledGeneration } from '../../projections/rebuild.ts'
import { openReadOnly } from '../log-db/open-reader.ts'
import { logFile } from '../log-db/store.ts'
import type { BulkLoad } from '../read-models/sqlite/rebuild/bulk-load.ts'
import type { SqliteReadModels } from '../read-models/sqlite/store.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { Thread } from '../sqlite/thread.ts'
import { COUNTERS, type StreamFolderData } from './stream-folder.ts'

const module = new URL('./stream-folder-thread.js', import.meta.url)

/** The log, its keys, and the read models. */
interface FillDeps {
  readonly directory: string
  readonly secret: Uint8Array
  readonly views: SqliteReadModels
}

export interface FillOptions {
  readonly fingerprints: Fingerprints
  /** Position of the last event that is folded. */
  readonly head: number
  /** Number of threads that fold. */
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** Called now and then with the number of events folded so far. */
  readonly onEvents: (events: number) => void
}

/** Fewer events than this are folded in the order of the log before threads have started. */
const WORTHWHILE = 20_000
const MOST_THREADS = 4

/** Returns how many threads should fold so many events; 0: none. `beside` a running service, one processor is left to it. */
export const threadsFor = (events: number, beside: boolean): number =>
  events < WORTHWHILE ? 0 : Math.max(1, Math.min(MOST_THREADS, availableParallelism() - (beside ? 1 : 0)))

const LOOKS_EVERY_MS = 200
/** Events of joined documents that are read in one turn of the loop. */
const PAGE = 256
/** Most objects of a thread live only as long as a stream. A young generation of this size is not copied before they are dropped. */
const YOUNG_MIB = 48

/**
 * Fills the next generation of embedded read models from an embedded log, stream by stream, on threads. Only final documents
 * are written, each once. Memory holds the documents of one stream per thread, some batches of rows, and eight bytes for
 * each event of joined documents.
 *
 * @throws {StorageUnavailable} when the log cannot be read or the documents cannot be written; {Error} for a damaged event;
 * the reason with which `signal` is aborted. The live read models are then unchanged, and the new generation is removed.
 */
export const fillByStreams = async (deps: FillDeps, filling: FillOptions): Promise<FilledGeneration> => {
  const { directory, views } = deps
  const { fingerprints, head, threads, signal } = filling
  const load = await views.load(threads)
  const stop = () => load.stop()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const joined = await fold(load, deps, filling)
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

/** Folds all streams. Returns the positions of events that were left out, in order. */
const fold = async (
  load: BulkLoad,
  { directory, secret }: FillDeps,
  filling: FillOptions,
): Promise<readonly number[]> => {
  const { head, signal, onEvents } = filling
  const counters = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)
  const folded = () => Number(Atomics.load(new BigInt64Array(counters), COUNTERS.events))
  const collections = await load.look()
  const folders = load.channels.map((channel) => {
    const data: StreamFolderData = { directory, secret, head, channel, collections, counters }
    const options = { transferList: [channel.port], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } }
    return new Thread<'fold', readonly number[]>(module, data, options)
  })
  // Detects a writing thread that has died, for which the folders would wait.
  const watching = setInterval(() => {
    onEvents(folded())
    load.look().catch(() => load.stop())
  }, LOOKS_EVERY_MS)
  try {
    const results = await Promise.allSettled(folders.map((folder) => folder.ask('fold').catch(stopWith(load))))
    await load.look()
    signal?.throwIfAborted()
    const joined = results.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value
      throw asUnavailable(`The event log ${logFile(directory)} could not be read`, result.reason)
    })
    requireAll(folded(), head, directory)
    return joined.sort((a, b) => a - b)
  } finally {
    clearInterval(watching)
    for (const folder of folders) await folder.close()
  }
}

const stopWith = (load: BulkLoad) => (error: unknown) => {
  load.stop()
  throw error
}

/** Detects streams that the index has lost, which would go unnoticed otherwise. @throws {Error} when events are missing */
const requireAll = (folded: number, head: number, directory: string): void => {
  if (folded === head + 1) return
  throw new Error(
    `The event log ${logFile(directory)} is damaged: its streams have ${folded} events up to position ${head}, and should have ${head + 1}. ` +
      'See what `millrace verify` says, and restore it from a backup.',
  )
}

/** Reads the events at these positions, with one page of them in memory. */
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
