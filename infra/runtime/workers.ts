import type { Logger } from 'pino'
import { erasures } from '../../domain/index.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { startErasure } from '../../workers/erasure/run.ts'
import { startJobs } from '../../workers/jobs/run.ts'
import { startPolicies } from '../../workers/policies/run.ts'
import type { Core } from './core.ts'
import type { Duty } from './lease.ts'
import type { OpenedStores } from './stores.ts'
import { type ReadSide, startWebhooks } from './webhooks.ts'

const TIDIED_EVERY_MS = 10 * 60 * 1000

/** Starts everything that happens later. */
export const startWorkers = async (
  core: Core,
  stores: OpenedStores,
  readSide: ReadSide,
  outbound: Outbound,
  logger: Logger,
  onFailure: (error: unknown) => void,
): Promise<Duty> => {
  const { policies, aggregates, jobs, engine, ids, now } = core
  const {
    log,
    checkpoints,
    readModels: { live },
    tidy,
  } = stores
  const { reached } = readSide
  const running = await startPolicies({
    policies,
    aggregates,
    engine,
    log,
    live,
    checkpoints,
    reached,
    ids,
    logger,
    onFailure,
  })
  const runner = await startJobs({ jobs, engine, log, live, reached, ids, now, logger })
  const erasing = await startErasure({
    erasures,
    log,
    vault: stores.vault,
    forget: core.forget,
    checkpoints,
    logger,
    onFailure,
  })
  const webhooks = startWebhooks(core, stores, readSide, outbound, logger, onFailure)
  const tidying = setInterval(() => {
    tidy?.().catch((error: unknown) => logger.warn({ err: error }, 'could not tidy up; it will be tried again'))
  }, TIDIED_EVERY_MS)
  return {
    async stop() {
      clearInterval(tidying)
      await webhooks.stop()
      await erasing.close()
      await runner.stop()
      await running.close()
    },
  }
}
