import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { hashToken } from '../../api/authenticate.ts'
import type { Files } from '../../domain/kernel/ports/files.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import { type Failures, failuresOf } from '../../workers/reactor/failures.ts'
import type { Reactor } from '../../workers/reactor/reactor.ts'
import { ROLES, type Role } from '../config.ts'
import { fetchedFiles } from '../files/take.ts'
import { type ImageStore, imageStore } from '../images/image-store.ts'
import { type Duty, Leases, whileHolding } from '../leases.ts'
import { type Accounts, accounts } from '../operator/accounts.ts'
import { type TestClocks, testClocks } from '../operator/test-clocks.ts'
import { type OutboundClient, outboundClient } from '../outbound/client.ts'
import { type Core, type CoreOptions, createCore, type RebuildOptions } from './core.ts'
import { ALONE, takeNode } from './node.ts'
import { watching } from './progress.ts'
import { type Following, startProjecting } from './projecting.ts'
import { Replaced } from './rebuilding.ts'
import type { OpenedStores } from './stores.ts'
import { startWorkers } from './workers.ts'

/** Everything of a service except its listeners: stores, engine, projector, workers. */
export interface Background {
  readonly core: Core
  readonly stores: OpenedStores
  readonly accounts: Accounts
  readonly failures: Failures
  readonly testClocks: TestClocks
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
  let following: Following | undefined
  const watched = watching(stores.readModels)
  const reached: Background['reached'] = (position, timeoutMs) => (following ?? watched).reached(position, timeoutMs)

  let isLogged = false
  const logReplaced = (error: unknown) => {
    if (error instanceof Replaced && !isLogged) logger.error(error.message)
    isLogged = true
    throw error
  }
  const project = async (): Promise<Duty> => {
    const projecting = await startProjecting(core, stores, logger, onFatal).catch(logReplaced)
    isLogged = false
    following = projecting
    return {
      async stop() {
        following = undefined
        await projecting.stop()
      },
    }
  }
  let reactor: Reactor | undefined
  const work = async (): Promise<Duty> => {
    const working = await startWorkers(core, stores, reached, outbound, logger, onFatal)
    reactor = working.reactor
    return {
      async stop() {
        reactor = undefined
        await working.stop()
      },
    }
  }
  const begin = (role: Role, start: () => Promise<Duty>): Promise<Duty> | Duty => {
    if (!roles.includes(role)) return NO_DUTY
    return leases ? whileHolding(leases, role, start, onFatal) : start()
  }
  const projector = await begin('projector', project)
  await core.clocks.start()
  const worker = await begin('worker', work)
  const { engine, ids, now, clocks } = core
  const { live } = stores.readModels
  const { log, reactorStore } = stores
  const images = imageStore(outbound, stores.blobs)
  return {
    core,
    stores,
    outbound,
    imageStore: images,
    fetched: fetchedFiles(outbound, stores.blobs),
    accounts: accounts({ engine, live, ids, now, digestOf: hashToken, reached }),
    testClocks: testClocks({ engine, live, clocks, publicIds: stores.publicIds, reached }),
    failures: failuresOf({ reactorStore, log, onOwed: (row) => reactor?.revive(row) }),
    get position() {
      return following?.position ?? watched.position
    },
    reached,
    get reacted() {
      return reactor?.position
    },
    async readable() {
      while ((await stores.readModels.fingerprints()) === undefined) await sleep(READABLE_EVERY_MS)
    },
    async rebuild(onProgress, threads) {
      if (following) return following.rebuild(onProgress, threads)
      // Nothing may be projected into the old generation while the new one takes over: this waits until the projector has stopped.
      const lease = await leases?.take('projector', AbortSignal.timeout(60_000))
      if (!lease) throw new Error('the projector is running in another process; stop it, rebuild, and start it again')
      return core.rebuild({ onProgress, ...(threads !== undefined && { threads }) }).finally(() => lease.release())
    },
    async stop() {
      const patience = setTimeout(() => stores.giveUp?.(), PATIENCE_MS).unref()
      core.clocks.stop()
      await worker.stop()
      await projector.stop()
      await watched.stop()
      await images.close()
      await outbound.close()
      // A lease that cannot be released expires.
      await node.release().catch(() => undefined)
      clearTimeout(patience)
      await stores.close()
    },
  }
}
