import { randomUUID } from 'node:crypto'
import { downloadLinks } from '../../api/public/links.ts'
import { jobs, orphanedBlobs, policies, processes, resources } from '../../domain/index.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../domain/kernel/engine/engine.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { type Fingerprints, LEFT, type ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import type { DownloadedFile } from '../../domain/resources/attributes/stored-file.ts'
import { aggregatesOf, type Resource } from '../../domain/resources/resource.ts'
import { FORMER_KEYS, TOMBSTONES } from '../../projections/collections.ts'
import { differenceOf, fingerprintsOf } from '../../projections/fingerprints.ts'
import { createHistory } from '../../projections/history.ts'
import { createProjection } from '../../projections/projection.ts'
import { type Filled, rebuildReadModels } from '../../projections/rebuild.ts'
import { createResponseCache } from '../../projections/response-cache.ts'
import { byStreams } from '../../projections/stream-folding.ts'
import { isNoted, isReplaced, ofCollections, withVersion } from '../../projections/versions.ts'
import { type GatewayUrls, gatewayAdapters, USUAL_URLS } from '../payments/dispatch.ts'
import { WorkspaceClocks } from '../workspace-clocks.ts'
import { type Filling, threadsFor } from './filling.ts'
import { openIds } from './ids.ts'
import { ALONE, type Node } from './node.ts'

/** The stores of one process, of whatever kind. */
export interface Stores {
  readonly log: EventLog
  readonly vault: Vault
  readonly readModels: ReadModelStore
  readonly checkpoints: Checkpoints
  readonly reactorStore: ReactorStore
  readonly blobs: Blobs
  readonly publicIds: PublicIds
  readonly secrets: Secrets
  /** Fills a new generation of read models stream by stream, on threads; where log and read models are both in a data directory. */
  readonly fill?: (filling: Filling) => Promise<Filled>
  /** Whether other processes use the same log. */
  readonly shared: boolean
  close(): Promise<void>
}

export interface CoreOptions {
  /** The clock of the machine, in milliseconds since 1970. */
  readonly now?: () => number
  readonly listenerPort?: number
  /** What links begin with; default: where the public listener of this process is. */
  readonly publicUrl?: string | undefined
  /** Memory for answers that are kept; default: none are. */
  readonly answersBytes?: number
  /** Where payment gateways answer; default: where they do for everybody. */
  readonly gatewayUrls?: GatewayUrls
}

export type RebuildOptions = Pick<
  Parameters<typeof rebuildReadModels>[0],
  'onProgress' | 'quiesce' | 'batchSize' | 'signal'
> & {
  /** How many threads fold streams; 0: none, everything is folded here in the order of the log. Default: as suits the machine and the log. */
  readonly threads?: number
}

const aggregates = aggregatesOf(resources)
const declared = fingerprintsOf(resources)
const upcast = upcasterOf(aggregates)

/** Files that can be downloaded, by the resource of the records that they are of, or of the jobs that make them. */
const files = new Map<string, DownloadedFile>([
  ...jobs.flatMap((job) => ('file' in job ? [[job.resource.name, job.file] as const] : [])),
  ...resources.flatMap(({ name, file }) => (file ? [[name, file] as const] : [])),
])

/** Kinds of records that clients name by a number: their ids are counted. */
const counted = new Set(resources.flatMap(({ name, ids = name }) => (ids === 'timeOrdered' ? [] : ids)))

/** The parts between the stores and the outside: engine, projection, history. One place that knows which resources there are. */
export const createCore = async (stores: Stores, node: Node['number'] = ALONE.number, options: CoreOptions = {}) => {
  const { now: machine = Date.now, listenerPort = 0, answersBytes = 0, gatewayUrls = USUAL_URLS } = options
  const { log, vault, readModels, publicIds, secrets } = stores
  const projectionOf = (some: readonly Resource[]) => createProjection({ resources: some, vault, upcast, publicIds })
  const project = projectionOf(resources)
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const engine = createEngine({
    log,
    vault,
    read: readModels.live,
    upcast,
    newEventId: randomUUID,
    alone: !stores.shared,
  })
  const { live, watched } = readModels
  const clocks = new WorkspaceClocks({ live, watched, shared: stores.shared, machine })
  const history = createHistory({ log, live, vault, upcast, publicIds })
  const links = downloadLinks({ secrets, now: machine, origin: options.publicUrl })
  const { urlOf: download, publicUrl } = links
  const { now } = clocks
  const looking = { resources: byName, live, vault, history, now, listenerPort, download, publicUrl }
  const shown = createResponseCache({ ...looking, ...(watched && { watched }), memory: answersBytes })
  const fillingFor = async (options: RebuildOptions, fingerprints: Fingerprints) => {
    const head = await log.lastPosition()
    const threads = options.threads ?? threadsFor(head + 1, options.quiesce !== undefined)
    const { fill } = stores
    if (!fill || threads === 0) return {}
    const joined = projectionOf(byStreams(resources).joined)
    const { signal } = options
    return {
      filling: {
        fill: (onEvents: Filling['onEvents']) => fill({ fingerprints, head, threads, signal, onEvents }),
        joined,
      },
    }
  }
  return {
    resources: byName,
    policies,
    aggregates: new Map(aggregates.map((aggregate) => [aggregate.name, aggregate])),
    jobs,
    files,
    engine,
    history,
    shown,
    /** Drops what is kept of opened data, as when somebody has been erased. */
    forget: () => {
      engine.clearCache()
      shown.forget()
    },
    project,
    /** As above, while the documents of some collections are of another version. */
    projectOnto: (unfit: readonly string[]) => createProjection({ resources, vault, upcast, publicIds, unfit }),
    ids: await openIds({ log, counted, node, now: machine }),
    clocks,
    now,
    advances: clocks.advances,
    listenerPort,
    links,
    download,
    publicUrl,
    orphanedBlobs,
    processes,
    /** Who is called outside. */
    adapters: gatewayAdapters({ live, vault, urls: gatewayUrls }),
    /** What sets the live read models apart from the declarations of this version. */
    difference: async () => {
      const built = await readModels.fingerprints()
      const difference = differenceOf(resources, ofCollections(built))
      // Where one process has the documents to itself, the version that runs is the one that is meant.
      if (!stores.shared) return { ...difference, isReplaced: false }
      const until = difference.until ?? (isNoted(declared, built) ? undefined : ofCollections(built))
      return {
        ...difference,
        until: until && withVersion(until, declared, built),
        isReplaced: isReplaced(declared, built),
      }
    },
    /** Builds all documents anew, or only those of some collections. */
    rebuild: async (options: RebuildOptions = {}, only?: readonly string[]) => {
      const built = await readModels.fingerprints()
      const ofThese = withLeft(declared, ofCollections(built))
      const fingerprints = stores.shared ? withVersion(ofThese, declared, built) : ofThese
      const deps = { log, store: readModels, project, fingerprints, ...options }
      if (!only) return rebuildReadModels({ ...deps, ...(await fillingFor(options, fingerprints)) })
      const kept = resources.flatMap(({ name }) => (only.includes(name) ? [] : name))
      const others = projectionOf(resources.filter(({ name }) => only.includes(name)))
      return rebuildReadModels({ ...deps, keeping: { carryOver: [...kept, TOMBSTONES, FORMER_KEYS], others } })
    },
  }
}

/** What is declared no more is remembered: should it come back, its documents are missing. */
const withLeft = (declared: Fingerprints, built: Fingerprints | undefined): Fingerprints => {
  const left = [...(built?.keys() ?? [])].filter((name) => !declared.has(name))
  return new Map([...left.map((name) => [name, LEFT] as const), ...declared])
}

export type Core = Awaited<ReturnType<typeof createCore>>
