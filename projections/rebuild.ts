import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { Fingerprints, ReadModelStore } from '../domain/kernel/ports/read-models.ts'
import type { Projection } from './projection.ts'

export interface RebuildProgress {
  readonly events: number
  /** Position reached and the position of the log's end when the rebuild began. */
  readonly position: number
  readonly target: number
  readonly eventsPerSecond: number
}

interface RebuildParts {
  readonly log: EventLog
  readonly store: ReadModelStore
  readonly project: Projection
  readonly fingerprints: Fingerprints
  /** Collections that are taken over from the live read models, and the projection of all others. */
  readonly keeping?: { readonly keep: readonly string[]; readonly others: Projection }
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
export const rebuildReadModels = async (parts: RebuildParts): Promise<RebuildProgress> => {
  const { log, store, project, fingerprints, keeping, onProgress, batchSize = 20_000, signal } = parts
  const started = performance.now()
  const building = await store.rebuild(fingerprints, {
    ...(keeping && { keep: keeping.keep }),
    ...(signal && { signal }),
  })
  const target = await log.lastPosition()
  let events = 0
  let position = -1
  const progress = (): RebuildProgress => {
    const seconds = Math.max(0.001, (performance.now() - started) / 1000)
    return { events, position, target, eventsPerSecond: Math.round(events / seconds) }
  }
  try {
    let batch: RecordedEvent[] = []
    const write = async (fold: Projection) => {
      signal?.throwIfAborted()
      if (batch.length === 0) return
      await fold(batch, building)
      events += batch.length
      position = batch.at(-1)?.position ?? position
      batch = []
      onProgress?.(progress())
    }
    const catchUp = async (fold: Projection, upTo = Number.POSITIVE_INFINITY) => {
      for await (const event of log.readAll({ after: position })) {
        if (event.position > upTo) break
        batch.push(event)
        if (batch.length === batchSize) await write(fold)
      }
      await write(fold)
    }
    if (keeping) await catchUp(keeping.others, building.kept)
    await catchUp(project)
    await building.ready()
    await parts.quiesce?.()
    await catchUp(project)
    await building.takeOver()
    return progress()
  } catch (error) {
    await building.abandon()
    throw error
  }
}
