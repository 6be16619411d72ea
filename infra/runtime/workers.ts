import type { Logger } from 'pino'
import { erasures } from '../../domain/index.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { createSnapshots } from '../../projections/loading/past-loader.ts'
import { startAdvancing } from '../../workers/clock/run.ts'
import { notingLeftOff } from '../../workers/left-off.ts'
import { findOlderCopy } from '../../workers/older-copy.ts'
import { startReactor } from '../../workers/reactions.ts'
import type { Reactor } from '../../workers/reactor/reactor.ts'
import { Schedule } from '../../workers/timers/schedule.ts'
import type { Duty } from '../leases.ts'
import { openMailComposer } from '../mail/composer.ts'
import { openUserMail } from '../mail/user-mail.ts'
import { openMailWays } from '../mail/ways.ts'
import type { OpenedStores } from '../stores/open.ts'
import type { Core } from './core.ts'
import type { Progress } from './progress.ts'

const TIDIED_EVERY_MS = 10 * 60 * 1000

/** The running workers. */
export interface Working extends Duty {
  readonly reactor: Reactor
}

/** Starts the reactor, the schedule of timers, the advancing of clocks, and regular tidying of the stores. */
export const startWorkers = async (
  core: Core,
  stores: OpenedStores,
  reached: Progress['reached'],
  outbound: Outbound,
  logger: Logger,
  onFailure: (error: unknown) => void,
): Promise<Working> => {
  const { resources, history, listenerPort, download, publicUrl, now, clocks } = core
  const { log, vault, readModels, tidy, leftOff } = stores
  const { live } = readModels
  const loaderDeps = { resources, live, vault, history, now, listenerPort, download, publicUrl }
  let isOver = false
  const ownClocks = () => clocks.inState('ready')
  const timers = new Schedule({ resources: resources.values(), live, log, now, ownClocks, logger, onFailure })
  const mail = openMailWays(core.mailSettings, { ...stores, live })
  const composer = openMailComposer({ key: stores.secrets.derive('mail', 'links'), origin: () => core.publicUrl('') })
  const userMail = openUserMail(core.mailSettings)
  const olderCopy = await findOlderCopy(stores, core.mailSettings.copyAfterMs, Date.now())
  const onUnnoted = (error: unknown) => logger.warn({ err: error }, 'could not note how far the log has come')
  const stopNoting = leftOff && notingLeftOff(log, leftOff, onUnnoted)
  const reactor = await startReactor({
    ...core,
    ...stores,
    live,
    erasures,
    reached,
    isOver: () => isOver,
    outbound,
    snapshot: createSnapshots(loaderDeps, true),
    loader: () => createLoader(loaderDeps, true),
    mail,
    composer,
    userMail,
    olderCopy,
    timerNotes: timers,
    logger,
    onFailure,
  })
  timers.start(reactor)
  const advancing = startAdvancing({ ...core, log, live, reactor, timers, reached, machine: now, logger })
  const tidying = setInterval(() => {
    tidy?.().catch((error: unknown) => logger.warn({ err: error }, 'could not tidy up; it will be tried again'))
  }, TIDIED_EVERY_MS)
  return {
    reactor,
    async stop() {
      isOver = true
      clearInterval(tidying)
      await advancing.stop()
      await timers.stop()
      const stopping = reactor.stop()
      mail.smtp?.drain()
      await stopping
      await mail.smtp?.close()
      await composer.close()
      await userMail?.close()
      await stopNoting?.()
    },
  }
}
