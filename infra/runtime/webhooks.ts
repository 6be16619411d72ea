import type { Logger } from 'pino'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { createLoader, createSnapshots } from '../../projections/loading.ts'
import { startWebhooks as start, type Webhooks } from '../../workers/webhooks/run.ts'
import type { Core, Stores } from './core.ts'

/** How far the read models are. */
export interface ReadSide {
  readonly reached: (position: number, timeoutMs: number) => Promise<boolean>
  readonly projected: () => number
}

/** Puts the delivery of outgoing webhooks together and starts it. */
export const startWebhooks = (
  { resources, history, engine, ids, now, listenerPort, download }: Core,
  { log, vault, secrets, checkpoints, readModels: { live } }: Stores,
  readSide: ReadSide,
  outbound: Outbound,
  logger: Logger,
  onFailure: (error: unknown) => void,
): Webhooks =>
  start({
    resources,
    engine,
    log,
    live,
    vault,
    checkpoints,
    secrets,
    outbound,
    snapshot: createSnapshots({ resources, history, vault, listenerPort, download }),
    loader: () => createLoader({ resources, live, vault, history, listenerPort, download }),
    ...readSide,
    ids,
    now,
    logger,
    onFailure,
  })
