import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { Fingerprints, ReadModelStore, Rebuild } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { Projection } from './projection.ts'

export interface RebuildProgress {
  readonly events: number
  /** Position reached and the position of the log's end when the rebuild began. */
  readonly position: number
  readonly target: number
  readonly eventsPerSecond: number
}

/** A generation that was filled up to a position at once, but for the documents with fields that are joined from other streams. */
export interface Filled {
  readonly building: Rebuild
  readonly position: number
  /** The events up to there that those documents follow from, in order. */
  readonly joined: AsyncIterable<RecordedEvent>
}

/** Few enough that what is read ahead dies young, and is no burden to the collector of garbage. */
const FOLDED_AT_ONCE = 2000

interface RebuildDeps {
  readonly log: EventLog
  readonly store: ReadModelStore
  readonly project: Projection
  readonly fingerprints: Fingerprints
  /** Fills the next generation quicker than in the order of the log, and tells how many events it has folded; and the projection of what it leaves out. */
  readonly filling?: {
    readonly fill: (onEvents: (events: number) => void) => Promise<Filled>
    readonly joined: Projection
  }
  /** Collections that are taken over from the live read models, and the projection of all others. */
  readonly keeping?: { readonly carryOver: readonly string[]; readonly others: Projection }
  readonly onProgress?: (progress: RebuildProgress) => void
  /** Called when all but the newest events are in: stops whoever writes to the live read models, so that nothing is readable that then is not. */
  readonly quiesce?: () => Promise<void>
  /** Events folded and written together. */
  readonly batchSize?: number
  /** Gives it up; the live read models stay as they are. */
  readonly signal?: AbortSignal
}

/**
 * Builds documents anew beside the live ones, all or all but those that are kept, and lets them take over when they have caught up (design 6).
 *
 * @returns what was read, and how fast
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

/** Reads the next one while one is worked on: the log and whoever writes the documents do not wait for each other. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // Told to whoever asks for it, which is later.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await source.return(undefined)
  }
}
