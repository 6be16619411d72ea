import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { Fingerprints, ReadModelStore, Rebuild } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { Projection } from './projection.ts'

export interface RebuildProgress {
  readonly events: number
  /** Position reached so far. */
  readonly position: number
  /** Position of the log's end when the rebuild began. */
  readonly target: number
  readonly eventsPerSecond: number
}

/** Generation that was filled in bulk up to a position, except for documents with fields that are joined from other streams. */
export interface FilledGeneration {
  readonly building: Rebuild
  readonly position: number
  /** Events up to that position from which those documents are derived, in order. */
  readonly joined: AsyncIterable<RecordedEvent>
}

/** Default batch size. Small enough that events that are read ahead are short-lived for the garbage collector. */
const FOLDED_AT_ONCE = 2000

interface RebuildDeps {
  readonly log: EventLog
  readonly store: ReadModelStore
  readonly project: Projection
  readonly fingerprints: Fingerprints
  /** `fill` fills the next generation faster than in the order of the log and reports how many events it has folded. `joined` projects what it leaves out. */
  readonly filling?: {
    readonly fill: (onEvents: (events: number) => void) => Promise<FilledGeneration>
    readonly joined: Projection
  }
  /** Collections that are carried over from the live read models, and the projection of all others. */
  readonly keeping?: { readonly carryOver: readonly string[]; readonly others: Projection }
  readonly onProgress?: (progress: RebuildProgress) => void
  /** Called when all but the newest events are folded. Stops writes to the live read models, so that nothing becomes readable and then disappears. */
  readonly quiesce?: () => Promise<void>
  /** Number of events that are folded and written together. */
  readonly batchSize?: number
  /** Aborts the rebuild; the live read models stay as they are. */
  readonly signal?: AbortSignal
}

/**
 * Rebuilds documents beside the live ones, except those that are carried over. The new generation takes over when it has caught up.
 *
 * @returns how many events were read, and how fast
 */
export const rebuildReadModels = async (deps: RebuildDeps): Promise<RebuildProgress> => {
  const { log, store, project, fingerprints, filling, keeping, onProgress, batchSize = FOLDED_AT_ONCE, signal } = deps
  const started = performance.now()
  const target = await log.lastPosition()
  let events = 0
  let position = -1
  const progress = (): RebuildProgress => {
    const seconds = Math.max(0.001, (performance.now() - started) / 1000)
    return { events, position, target, eventsPerSecond: Math.round(events / seconds) }
  }
  const reach = (folded: number, reached: number) => {
    events = folded
    position = reached
    onProgress?.(progress())
  }
  const filled = await filling?.fill((folded) => reach(folded, folded - 1))
  const options = { ...(keeping && { carryOver: keeping.carryOver }), ...(signal && { signal }) }
  const building = filled?.building ?? (await store.rebuild(fingerprints, options))
  const catchUp = async (fold: Projection, upTo?: number) => {
    for await (const batch of ahead(inBatches(log.readAll({ after: position }), batchSize, upTo))) {
      signal?.throwIfAborted()
      await fold(batch, building)
      reach(events + batch.length, batch.at(-1)!.position)
    }
  }
  try {
    if (filled && filling) {
      for await (const batch of ahead(inBatches(filled.joined, batchSize))) {
        signal?.throwIfAborted()
        await filling.joined(batch, building)
      }
      await building.apply([], filled.position)
      reach(filled.position + 1, filled.position)
    }
    if (keeping) await catchUp(keeping.others, building.carriedOver)
    await catchUp(project)
    await building.ready()
    await deps.quiesce?.()
    await catchUp(project)
    signal?.throwIfAborted()
    await building.takeOver()
    return progress()
  } catch (error) {
    await building.abandon()
    throw error
  }
}

async function* inBatches(
  events: AsyncIterable<RecordedEvent>,
  size: number,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly RecordedEvent[]> {
  let batch: RecordedEvent[] = []
  for await (const event of events) {
    if (event.position > upTo) break
    batch.push(event)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Reads the next item while the present one is processed, so that the log and the writer of documents do not wait for each other. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // The error is thrown when the item is awaited, which is later.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await source.return(undefined)
  }
}
