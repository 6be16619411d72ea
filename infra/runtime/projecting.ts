import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { type Projector, startProjector } from '../../projections/projector.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import type { Core, RebuildOptions, Stores } from './core.ts'
import type { Progress } from './progress.ts'
import { buildAfterLoss, buildBefore, startBuildingBeside } from './rebuilding.ts'

/** The projector of this process. */
export interface Following extends Progress {
  rebuild(
    onProgress: (progress: RebuildProgress) => void,
    threads?: RebuildOptions['threads'],
  ): Promise<RebuildProgress>
  stop(): Promise<void>
}

/** Small batches for a rebuild beside a running service, so that no request waits long. */
const LIVE_REBUILD_BATCH = 1000
const AGAIN_MS = 500
const CATCHING_UP_MS = 10_000

/** Rebuilds the read models where this version's declarations differ, and keeps them up to date with the log. */
export const startProjecting = async (
  core: Core,
  { log, readModels }: Stores,
  logger: Logger,
  onFatal: (error: unknown) => void,
): Promise<Following> => {
  const changed = await buildBefore(core, readModels, logger)
  await buildAfterLoss(core, { log, readModels }, logger)
  const { live } = readModels
  let stopped = false
  /** Waits while the read models are unavailable, because of an outage or a full disk. Any other error needs a restart. */
  const onFailure = (error: unknown) => {
    if (refusalIn(error)?.kind !== 'unavailable') return onFatal(error)
    logger.warn({ err: error }, `the read models cannot be written to; going on in ${AGAIN_MS / 1000} s`)
    void sleep(AGAIN_MS)
      .then(async () => {
        await projector.pause()
        if (!stopped) await projector.resume()
      })
      .catch(onFailure)
  }
  let project = changed.length === 0 ? core.project : core.projectOnto(changed)
  const projector: Projector = await startProjector({ log, live, project: (...batch) => project(...batch), onFailure })
  // Events that were acknowledged before a kill must be readable when the service reports that it is ready.
  if (!(await projector.reached(await log.lastPosition(), CATCHING_UP_MS)))
    logger.warn('the read models are still catching up with the log')
  const rebuild = async (options: RebuildOptions, only?: readonly string[]) => {
    try {
      const built = await core.rebuild({ ...options, quiesce: projector.pause, batchSize: LIVE_REBUILD_BATCH }, only)
      project = core.project
      return built
    } finally {
      await projector.pause()
      if (!stopped) await projector.resume()
    }
  }
  const stopping = new AbortController()
  let requested: Promise<unknown> = Promise.resolve()
  const beside = startBuildingBeside(changed, (signal) => rebuild({ signal }, changed), logger)
  return {
    get position() {
      return projector.position
    },
    reached: projector.reached,
    async rebuild(onProgress, threads) {
      await beside.stop()
      const { signal } = stopping
      const built = rebuild({ onProgress, signal, ...(threads !== undefined && { threads }) })
      requested = built.catch(() => undefined)
      return built
    },
    async stop() {
      stopped = true
      stopping.abort(new Error('the service stops'))
      await requested
      await beside.stop()
      return projector.stop()
    },
  }
}
