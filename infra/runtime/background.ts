import type { Logger } from 'pino'
import { type Projector, startProjector } from '../../projections/projector.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import { startJobs } from '../../workers/jobs/run.ts'
import { startPolicies } from '../../workers/policies/run.ts'
import { type Accounts, accounts } from '../operator/accounts.ts'
import { type Core, createCore, type Stores } from './core.ts'

/** Everything of a service but its listeners: stores, engine, projector, policies. */
export interface Background {
  readonly core: Core
  readonly stores: Stores
  readonly accounts: Accounts
  /** Position up to which documents are readable. */
  readonly position: number
  reached(position: number, timeoutMs: number): Promise<boolean>
  /** Builds the read models anew beside the live ones and swaps them. */
  rebuild(onProgress: (progress: RebuildProgress) => void): Promise<RebuildProgress>
  /** Stops the workers and closes the stores. */
  stop(): Promise<void>
}

const NODE = 0

/** Small batches while requests are being served beside a rebuild, so that none waits long. */
const LIVE_REBUILD_BATCH = 1000

/** Brings the read models up to this version's declarations and starts everything that follows the log. */
export const startBackground = async (
  stores: Stores,
  logger: Logger,
  onFatal: (error: unknown) => void,
): Promise<Background> => {
  const core = await createCore(stores, NODE)
  const { log, checkpoints } = stores
  const { live } = stores.readModels
  if (!(await core.isCurrent())) {
    const { events, eventsPerSecond } = await core.rebuild()
    logger.info({ events, events_per_second: eventsPerSecond }, 'read models built')
  }
  const follow = (): Promise<Projector> => startProjector({ log, live, project: core.project, onFailure: onFatal })
  let projector = await follow()
  const reached: Background['reached'] = (position, timeoutMs) => projector.reached(position, timeoutMs)
  const { policies, jobs, engine, mint, now } = core
  const running = await startPolicies({
    policies,
    engine,
    log,
    live,
    checkpoints,
    reached,
    mint,
    logger,
    onFailure: onFatal,
  })
  const runner = await startJobs({ jobs, engine, log, live, reached, mint, now, logger })
  return {
    core,
    stores,
    accounts: accounts({ engine, live, mint, now, reached }),
    get position() {
      return projector.position
    },
    reached,
    async rebuild(onProgress) {
      try {
        return await core.rebuild({ onProgress, quiesce: () => projector.stop(), batchSize: LIVE_REBUILD_BATCH })
      } finally {
        await projector.stop()
        projector = await follow()
      }
    },
    async stop() {
      await runner.stop()
      await running.close()
      await projector.stop()
      await stores.close()
    },
  }
}
