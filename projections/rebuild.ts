import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { ReadModelStore } from '../domain/kernel/ports/read-models.ts'
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
  readonly fingerprint: string
  readonly onProgress?: (progress: RebuildProgress) => void
  /** Called when all but the newest events are in: stops whoever writes to the live read models, so that nothing is readable that then is not. */
  readonly quiesce?: () => Promise<void>
  /** Events folded and written together. */
  readonly batchSize?: number
}

/**
 * Builds all documents anew beside the live ones and lets them take over when they have caught up (design 6).
 *
 * @returns what was read, and how fast
 */
export const rebuildReadModels = async (parts: RebuildParts): Promise<RebuildProgress> => {
  const { log, store, project, fingerprint, onProgress, batchSize = 20_000 } = parts
  const building = await store.rebuild(fingerprint)
  const started = performance.now()
  const target = await log.lastPosition()
  let events = 0
  let position = -1
  const progress = (): RebuildProgress => {
    const seconds = Math.max(0.001, (performance.now() - started) / 1000)
    return { events, position, target, eventsPerSecond: Math.round(events / seconds) }
  }
  try {
    let batch: RecordedEvent[] = []
    const write = async () => {
      if (batch.length === 0) return
      await project(batch, building)
      events += batch.length
      position = batch.at(-1)?.position ?? position
      batch = []
      onProgress?.(progress())
    }
    const catchUp = async () => {
      for await (const event of log.readAll({ after: position })) {
        batch.push(event)
        if (batch.length === batchSize) await write()
      }
      await write()
    }
    await catchUp()
    await building.ready()
    await parts.quiesce?.()
    await catchUp()
    await building.takeOver()
    return progress()
  } catch (error) {
    await building.abandon()
    throw error
  }
}
