import type { Logger } from 'pino'
import { erasures } from '../../domain/index.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { createSnapshots } from '../../projections/loading/past-loader.ts'
import { startAdvancing } from '../../workers/clock/run.ts'
import { notingLeftOff } from '../../workers/left-off.ts'
import { findOlderCopy, type OlderCopy, storedCopy } from '../../workers/older-copy.ts'
import { startReactor } from '../../workers/reactions.ts'
import type { Reactor } from '../../workers/reactor/reactor.ts'
import { isPassing } from '../../workers/retry-while-unavailable.ts'
import { Schedule } from '../../workers/timers/schedule.ts'
import type { Duty } from '../leases.ts'
import { openUserMail } from '../mail/user-mail.ts'
import { openMailWays } from '../mail/ways.ts'
import type { OpenedStores } from '../stores/open.ts'
import type { Core } from './core.ts'
import type { Progress } from './progress.ts'

const TIDIED_EVERY_MS = 10 * 60 * 1000
/** How often the workers of a copy look for the operator's word. */
const WORD_EVERY_MS = 1000

/** The running workers. */
export interface Working extends Duty {
  /** `undefined` while they wait for the operator's word. */
  readonly reactor: Reactor | undefined
}

type WorkersGiven = readonly [
  core: Core,
  stores: OpenedStores,
  reached: Progress['reached'],
  outbound: Outbound,
  logger: Logger,
  onFailure: (error: unknown) => void,
]

const WAITING =
  'these data are a copy: no mail, webhook or charge leaves, and no timer or job goes on, until `millrace copy release`. ' +
  'Give that word when the original has been stopped for good'
const MOVED =
  'this data directory was moved or copied since it was last used: if the original still runs, stop this one, since both would do the same'

/** Starts the workers; those of a copy once the operator lets them. Nothing leaves the house but by them, or because somebody asks for it now. */
export const startWorkers = async (...given: WorkersGiven): Promise<Working> => {
  const [core, stores, , , logger, onFailure] = given
  const { log, leftOff } = stores
  if (leftOff?.read() === 'moved or copied') logger.warn(MOVED)
  const olderCopy = await findOlderCopy(stores, core.mailSettings.copyAfterMs, Date.now())
  const onUnnoted = (error: unknown) => logger.warn({ err: error }, 'could not note how far the log has come')
  const stopNoting = leftOff && notingLeftOff(log, leftOff, onUnnoted)
  const stop = async (working: Duty | undefined) => {
    await working?.stop()
    await stopNoting?.()
  }
  if (!olderCopy.waits) {
    const working = await beginWork(olderCopy, ...given)
    return { reactor: working.reactor, stop: () => stop(working) }
  }
  logger.warn({ up_to: olderCopy.upTo }, WAITING)
  let working: Promise<Working> | undefined
  let reactor: Reactor | undefined
  const look = async () => {
    const found = await storedCopy(stores.reactorStore)
    if (found.waits || working) return
    clearInterval(looking)
    logger.info('the operator lets this copy go on')
    working = beginWork(found, ...given)
    reactor = (await working).reactor
  }
  const looking = setInterval(() => void look().catch((error) => !isPassing(error) && onFailure(error)), WORD_EVERY_MS)
  return {
    get reactor() {
      return reactor
    },
    async stop() {
      clearInterval(looking)
      await stop(await working)
    },
  }
}

/** Starts the reactor, the schedule of timers, the advancing of clocks, and regular tidying of the stores. */
const beginWork = async (
  olderCopy: OlderCopy,
  ...[core, stores, reached, outbound, logger, onFailure]: WorkersGiven
): Promise<Working> => {
  const { resources, history, listenerPort, download, publicUrl, linksWarning, now, clocks } = core
  const { log, vault, readModels, tidy } = stores
  const { live } = readModels
  const links = { listenerPort, download, publicUrl, linksWarning }
  const loaderDeps = { resources, everywhere: live, vault, history, now, ...links }
  let isOver = false
  const ownClocks = () => clocks.inState('ready')
  const timers = new Schedule({ resources: resources.values(), live, log, now, ownClocks, logger, onFailure })
  const mail = openMailWays(core.mailSettings, { ...stores, live })
  const userMail = openUserMail(core.mailSettings)
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
    composer: core.texts,
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
      await userMail?.close()
    },
  }
}
