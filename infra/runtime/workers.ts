import type { Logger } from 'pino'
import { erasures } from '../../domain/index.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { createLoader, createSnapshots } from '../../projections/loading.ts'
import type { Reactor } from '../../workers/reactor/reactor.ts'
import { startReactor } from '../../workers/reactor/start.ts'
import type { Background } from './background.ts'
import type { Core } from './core.ts'
import type { Duty } from './lease.ts'
import type { OpenedStores } from './stores.ts'

const TIDIED_EVERY_MS = 10 * 60 * 1000

/** Everything that happens later, while it does. */
export interface Working extends Duty {
  readonly reactor: Reactor
}

/** Starts everything that happens later. */
export const startWorkers = async (
  core: Core,
  stores: OpenedStores,
  reached: Background['reached'],
  outbound: Outbound,
  logger: Logger,
  onFailure: (error: unknown) => void,
): Promise<Working> => {
  const { resources, history, listenerPort, download } = core
  const { vault, readModels, tidy } = stores
  const { live } = readModels
  const looking = { resources, live, vault, history, listenerPort, download }
  const reactor = await startReactor({
    ...core,
    ...stores,
    live,
    erasures,
    reached,
    outbound,
    snapshot: createSnapshots(looking),
    loader: () => createLoader(looking),
    logger,
    onFailure,
  })
  const tidying = setInterval(() => {
    tidy?.().catch((error: unknown) => logger.warn({ err: error }, 'could not tidy up; it will be tried again'))
  }, TIDIED_EVERY_MS)
  return {
    reactor,
    async stop() {
      clearInterval(tidying)
      await reactor.stop()
    },
  }
}
