import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newKeyToken, storedOf } from '../../api/token-hash.ts'
import type { Files } from '../../domain/kernel/ports/files.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import { type Failures, failuresOf } from '../../workers/reactor/failures.ts'
import { ROLES, type Role } from '../config.ts'
import { fetchedFiles } from '../files/take.ts'
import { type ImageStore, imageStore } from '../images/image-store.ts'
import { type Duty, Leases, whileHolding } from '../leases.ts'
import { isUserMailSent } from '../mail/user-mail.ts'
import { type Accounts, accounts } from '../operator/accounts.ts'
import { type OperatorApplications, operatorApplications } from '../operator/applications.ts'
import { type OperatorCopy, operatorCopy } from '../operator/copy.ts'
import { OperatorDomains } from '../operator/domains.ts'
import { type FunnelStatistics, funnelStatistics } from '../operator/funnel-statistics.ts'
import { type OperatorHeld, operatorHeld } from '../operator/held.ts'
import { type OperatorRates, operatorRates } from '../operator/mail-rates.ts'
import { type OperatorSuppressions, operatorSuppressions } from '../operator/mail-suppressions.ts'
import { type OperatorMails, operatorMails } from '../operator/mails.ts'
import { type TestClocks, testClocks } from '../operator/test-clocks.ts'
import { type OperatorUserLinks, operatorUserLinks } from '../operator/user-links.ts'
import { OperatorUsers } from '../operator/users.ts'
import { type OutboundClient, outboundClient } from '../outbound/client.ts'
import type { OpenedStores } from '../stores/open.ts'
import { type Core, type CoreOptions, createCore, type RebuildOptions } from './core.ts'
import { ALONE, takeNode } from './node.ts'
import { claimNumbersSetByHand } from './numbers-set-by-hand.ts'
import { watching } from './progress.ts'
import { type Following, startProjecting } from './projecting.ts'
import { Replaced } from './rebuilding.ts'
import { startWorkers, type Working } from './workers.ts'

/** Everything of a service except its listeners: stores, engine, projector, workers. */
export interface Background {
  readonly core: Core
  readonly stores: OpenedStores
  readonly accounts: Accounts
  readonly applications: OperatorApplications
  readonly users: OperatorUsers
  readonly userLinks: OperatorUserLinks
  readonly failures: Failures
  readonly copy: OperatorCopy
  readonly mails: OperatorMails
  readonly held: OperatorHeld
  readonly mailRates: OperatorRates
  readonly suppressions: OperatorSuppressions
  readonly domains: OperatorDomains
  readonly testClocks: TestClocks
  readonly statistics: FunnelStatistics
  /** Requests to addresses that users choose. */
  readonly outbound: OutboundClient
  readonly imageStore: ImageStore
  /** Files that are fetched from such addresses. */
  readonly fetched: Files
  /** Position up to which documents are readable, as far as this process knows. */
  readonly position: number
  reached(position: number, timeoutMs: number): Promise<boolean>
  /** Position up to which all tasks are done or written down; `undefined`: this process does not run the worker. */
  readonly reacted: number | undefined
  /** Resolves when read models exist. On servers, another process may still be building the first ones. */
  readable(): Promise<void>
  /** Rebuilds the read models beside the live ones, and swaps them. */
  rebuild(
    onProgress: (progress: RebuildProgress) => void,
    threads?: RebuildOptions['threads'],
  ): Promise<RebuildProgress>
  /** Stops the workers and closes the stores. */
  stop(): Promise<void>
}

const READABLE_EVERY_MS = 100
/** How long a stop waits for an unavailable store. */
const PATIENCE_MS = 3000
const NO_DUTY: Duty = { stop: async () => undefined }

/** Starts what this process does behind its listeners. Work that only one process may do is done under a lease. */
export const startBackground = async (
  stores: OpenedStores,
  logger: Logger,
  onFatal: (error: unknown) => void,
  roles: readonly Role[] = ROLES,
  outbound: OutboundClient = outboundClient({ allowPrivate: false }),
  options: Omit<CoreOptions, 'now'> = {},
): Promise<Background> => {
  const leases = stores.leases && new Leases(stores.leases)
  const node = leases ? await takeNode(leases) : ALONE
  const core = await createCore(stores, node.number, options)
  const watched = watching(stores.readModels)
  const projector = new RoleRunner(startingProjector(core, stores, logger, onFatal))
  const progress = () => projector.running ?? watched
  const reached: Background['reached'] = (position, timeoutMs) => progress().reached(position, timeoutMs)
  const worker = new RoleRunner(() => startWorkers(core, stores, reached, outbound, logger, onFatal))
  const begin = (role: Role, runner: RoleRunner<Duty>): Promise<Duty> | Duty => {
    if (!roles.includes(role)) return NO_DUTY
    return leases ? whileHolding(leases, role, () => runner.start(), onFatal) : runner.start()
  }
  const projecting = await begin('projector', projector)
  await core.clocks.start()
  const working = await begin('worker', worker)
  const images = imageStore(outbound, stores.blobs)
  return {
    core,
    stores,
    outbound,
    imageStore: images,
    fetched: fetchedFiles(outbound, stores.blobs),
    ...operatorActions(core, stores, reached, worker),
    get position() {
      return progress().position
    },
    reached,
    get reacted() {
      return worker.running?.reactor?.position
    },
    async readable() {
      while ((await stores.readModels.fingerprints()) === undefined) await sleep(READABLE_EVERY_MS)
    },
    async rebuild(onProgress, threads) {
      if (projector.running) return projector.running.rebuild(onProgress, threads)
      return rebuildUnderLease(core, leases, { onProgress, ...(threads !== undefined && { threads }) })
    },
    async stop() {
      const patience = setTimeout(() => stores.giveUp?.(), PATIENCE_MS).unref()
      core.clocks.stop()
      await working.stop()
      await projecting.stop()
      await watched.stop()
      await core.texts.close()
      await images.close()
      await outbound.close()
      await node.release()
      clearTimeout(patience)
      await stores.close()
    },
  }
}

/** Runs what a process does in a role, while it has the lease of that role. */
class RoleRunner<T extends Duty> {
  readonly #begin: () => Promise<T>
  #running: T | undefined

  constructor(begin: () => Promise<T>) {
    this.#begin = begin
  }

  /** `undefined` before it is started and once it stops. */
  get running(): T | undefined {
    return this.#running
  }

  async start(): Promise<Duty> {
    const running = await this.#begin()
    this.#running = running
    return {
      stop: async () => {
        this.#running = undefined
        await running.stop()
      },
    }
  }
}

/** Returns a function that starts the projector. It logs only once that a newer version has built the read models, however often it is called. */
const startingProjector = (
  core: Core,
  stores: OpenedStores,
  logger: Logger,
  onFatal: (error: unknown) => void,
): (() => Promise<Following>) => {
  let isLogged = false
  return async () => {
    try {
      const following = await startProjecting(core, stores, logger, onFatal)
      await claimNumbersSetByHand({ ...core, ...stores, live: stores.readModels.live }).catch(async (error) => {
        await following.stop()
        throw error
      })
      isLogged = false
      return following
    } catch (error) {
      if (error instanceof Replaced && !isLogged) logger.error(error.message)
      isLogged = true
      throw error
    }
  }
}

const operatorActions = (
  core: Core,
  { readModels: { live }, publicIds, secrets, reactorStore, log, vault, blobs }: OpenedStores,
  reached: Background['reached'],
  worker: RoleRunner<Working>,
): Pick<
  Background,
  | 'accounts'
  | 'applications'
  | 'users'
  | 'userLinks'
  | 'testClocks'
  | 'failures'
  | 'copy'
  | 'mails'
  | 'held'
  | 'mailRates'
  | 'suppressions'
  | 'domains'
  | 'statistics'
> => ({
  accounts: accounts({ ...core, live, storedOf, newToken: newKeyToken, reached }),
  applications: operatorApplications({ ...core, live, publicIds, secrets, reached }),
  userLinks: operatorUserLinks({ ...core, live, reached }),
  users: new OperatorUsers({
    ...core,
    live,
    reached,
    isMailed: isUserMailSent(core.mailSettings),
    issueLink: operatorUserLinks({ ...core, live, reached }).issue,
  }),
  testClocks: testClocks({ ...core, live, publicIds, reached }),
  statistics: funnelStatistics({ ...core, everywhere: live, vault, publicIds }),
  mails: operatorMails({ ...core, live, vault, blobs, reached }),
  held: operatorHeld({ ...core, live, reached }),
  domains: new OperatorDomains({
    ...{ ...core, live, vault, reached },
    loader: () => createLoader({ ...core, everywhere: live, vault }, true),
  }),
  suppressions: operatorSuppressions({ ...core, live, vault, reached }),
  mailRates: operatorRates({ ...core, live, reached, rates: core.mailSettings.rates }),
  copy: operatorCopy({ log, reactorStore, isWorking: () => worker.running !== undefined }),
  failures: failuresOf({ reactorStore, log, onOwed: (row) => worker.running?.reactor?.revive(row) }),
})

/** Rebuilds the read models in a process that does not project, while no other one does. @throws {Error} when another process projects */
const rebuildUnderLease = async (
  core: Core,
  leases: Leases | undefined,
  options: RebuildOptions,
): Promise<RebuildProgress> => {
  // Nothing may be projected into the old generation while the new one takes over: this waits until the projector has stopped.
  const lease = await leases?.take('projector', AbortSignal.timeout(60_000))
  if (!lease) throw new Error('the projector is running in another process; stop it, rebuild, and start it again')
  return core.rebuild(options).finally(() => lease.release())
}
