import { randomUUID } from 'node:crypto'
import { downloadLinks } from '../../api/download-links.ts'
import { jobs, orphanedBlobs, policies, processes, resources, tallies } from '../../domain/index.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../domain/kernel/engine/engine.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { type Fingerprints, type ReadModelStore, UNMAINTAINED } from '../../domain/kernel/ports/read-models.ts'
import type { SealingSecrets } from '../../domain/kernel/ports/secrets.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import type { DownloadedFile } from '../../domain/resources/attributes/stored-file.ts'
import { aggregatesOf, type Resource } from '../../domain/resources/resource.ts'
import type { Tally } from '../../domain/resources/tally.ts'
import { FORMER_KEYS, TOMBSTONES } from '../../projections/collections.ts'
import { differenceOf, fingerprintsOf } from '../../projections/fingerprints.ts'
import { createHistory } from '../../projections/history.ts'
import { createProjection, type Projection } from '../../projections/projection.ts'
import { type FilledGeneration, rebuildReadModels } from '../../projections/rebuild.ts'
import { createResponseCache } from '../../projections/response-cache.ts'
import { splitByStream } from '../../projections/stream-folding.ts'
import { isNoted, isReplaced, ofCollections, withVersion } from '../../projections/versions.ts'
import { createWalks } from '../../projections/walks.ts'
import { accountsUrlIn } from '../accounts-url.ts'
import type { Config } from '../config.ts'
import { type Outside, outsideOf, usualOutside } from '../external/outside.ts'
import { openMailComposer } from '../mail/composer.ts'
import { invitationLinks } from '../mail/invitation-links.ts'
import { mailLinks } from '../mail/links.ts'
import { memberLinks } from '../mail/member-links.ts'
import { linksWarning } from '../mail/reach.ts'
import { type MailSettings, NO_MAIL } from '../mail/settings.ts'
import { userLinks } from '../mail/user-links.ts'
import { type GatewayUrls, gatewayAdapters, USUAL_URLS } from '../payments/dispatch.ts'
import { WorkspaceClocks } from '../workspace-clocks.ts'
import { clientEngine } from './client-engine.ts'
import { type FillOptions, threadsFor } from './filling.ts'
import { openIds } from './ids.ts'
import { ALONE, type Node } from './node.ts'

/** Stores of one process, embedded or on servers. */
export interface Stores {
  readonly log: EventLog
  readonly vault: Vault
  readonly readModels: ReadModelStore
  readonly checkpoints: Checkpoints
  readonly reactorStore: ReactorStore
  readonly shortTerm: ShortTermStore
  readonly blobs: Blobs
  readonly publicIds: PublicIds
  readonly secrets: SealingSecrets
  /** Fills a new generation of read models stream by stream, on threads. Only where log and read models are both in a data directory. */
  readonly fill?: (filling: FillOptions) => Promise<FilledGeneration>
  /** Whether other processes use the same log. */
  readonly shared: boolean
  close(): Promise<void>
}

export interface CoreOptions {
  /** The clock of the machine, in milliseconds since 1970. */
  readonly now?: () => number
  readonly listenerPort?: number
  /** URL that links begin with; default: that of this process's public listener. */
  readonly publicUrl?: string | undefined
  /** Address of the pages on which people sign in, for links in mails of the background. */
  readonly accountsUrl?: string
  /** Memory for cached responses, in bytes; default: none are cached. */
  readonly answersBytes?: number
  /** URLs of payment gateways; default: those of the providers. */
  readonly gatewayUrls?: GatewayUrls
  /** How mails leave the house; default: they are kept as files. */
  readonly mail?: MailSettings
  /** What the world says about names. Default: what the name servers of the system say. */
  readonly outside?: Outside
}

/** Returns the options that a configuration sets. */
export const coreOptionsIn = (config: Config): Omit<CoreOptions, 'now'> => {
  const { publicPort, publicUrl, answersBytes, gatewayUrls, mail } = config
  const accountsUrl = accountsUrlIn(config, config.port)
  return {
    listenerPort: publicPort,
    publicUrl,
    accountsUrl,
    answersBytes,
    gatewayUrls,
    mail,
    outside: outsideOf(config),
  }
}

export type RebuildOptions = Pick<
  Parameters<typeof rebuildReadModels>[0],
  'onProgress' | 'quiesce' | 'batchSize' | 'signal'
> & {
  /** Number of threads that fold streams; 0: none, this thread folds in the order of the log. Default: depends on machine and log. */
  readonly threads?: number
}

const aggregates = aggregatesOf(resources)
const declared = fingerprintsOf(resources, tallies)
const upcast = upcasterOf(aggregates)

/** Downloadable files, by the resource of their records, or of the jobs that make them. */
const files = new Map<string, DownloadedFile>([
  ...jobs.flatMap((job) => ('file' in job ? [[job.resource.name, job.file] as const] : [])),
  ...resources.flatMap(({ name, file }) => (file ? [[name, file] as const] : [])),
])

/** Resources whose ids are counted, because clients refer to their records by number. */
const counted = new Set(resources.flatMap(({ name, ids = name }) => (ids === 'timeOrdered' ? [] : ids)))

/** Creates the parts between the stores and the outside: engine, projection, history. The only place that knows all resources. */
export const createCore = async (stores: Stores, node: Node['number'] = ALONE.number, options: CoreOptions = {}) => {
  const {
    now: machine = Date.now,
    listenerPort = 0,
    answersBytes = 0,
    gatewayUrls = USUAL_URLS,
    mail = NO_MAIL,
    outside = usualOutside(),
  } = options
  const { log, vault, publicIds, secrets, shared } = stores
  const { live, watched } = stores.readModels
  const project = projectionOf(stores, { resources, tallies })
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const clocks = new WorkspaceClocks({ live, watched, shared, machine })
  const links = downloadLinks({ secrets, now: machine, origin: options.publicUrl })
  const { urlOf: download, publicUrl } = links
  const linked = { download, publicUrl, linksWarning: () => linksWarning(mail, publicUrl('')) }
  const texts = openMailComposer({ key: secrets.derive('mail', 'links'), origin: () => publicUrl('') })
  const engine = createEngine({ log, vault, texts, read: live, upcast, newEventId: randomUUID, alone: !shared })
  const { now } = clocks
  const history = createHistory({ log, live, vault, upcast, publicIds })
  const viewDeps = { resources: byName, everywhere: live, vault, history, now, listenerPort, ...linked }
  const responseCache = createResponseCache({ ...viewDeps, ...(watched && { watched }), memory: answersBytes })
  return {
    resources: byName,
    policies,
    aggregates: new Map(aggregates.map((aggregate) => [aggregate.name, aggregate])),
    jobs,
    files,
    ...{ engine, clientEngine: clientEngine(engine, clocks.advances) },
    /** Composes mails, and works with what authors write in Liquid, in a thread. */
    texts,
    history,
    responseCache,
    walks: createWalks({ live, history }),
    /** Clears cached data that was decrypted, as when a person has been erased. */
    forget: () => {
      engine.clearCache()
      responseCache.forget()
    },
    project,
    /** Like `project`, while the documents of some collections are of another version. */
    projectOnto: (unfit: readonly string[]) => projectionOf(stores, { resources, tallies }, unfit),
    ids: await openIds({ log, counted, node, now: machine }),
    ...{ clocks, now, advances: clocks.advances },
    listenerPort,
    mailSettings: mail,
    accountsUrl: options.accountsUrl ?? '',
    outside,
    mailLinks: mailLinks(secrets, () => publicUrl('')),
    memberLinks: memberLinks(secrets),
    invitationLinks: invitationLinks(secrets),
    userLinks: userLinks(secrets),
    ...{ links, ...linked },
    orphanedBlobs,
    processes,
    /** Adapters of the payment gateways. */
    adapters: gatewayAdapters({ live, vault, urls: gatewayUrls }),
    /** Returns how the live read models differ from the declarations of this version. */
    difference: () => differenceFrom(stores),
    /** Rebuilds all documents, or only those of some collections. */
    rebuild: (options: RebuildOptions = {}, only?: readonly string[]) => rebuild(stores, project, options, only),
  }
}

export type Core = Awaited<ReturnType<typeof createCore>>

/** What a projection writes. */
interface Projected {
  readonly resources: readonly Resource[]
  readonly tallies: readonly Tally[]
}

const projectionOf = ({ vault, publicIds }: Stores, some: Projected, unfit: readonly string[] = []): Projection =>
  createProjection({ ...some, vault, upcast, publicIds, unfit })

const differenceFrom = async ({ readModels, shared }: Stores) => {
  const built = await readModels.fingerprints()
  const difference = differenceOf(resources, ofCollections(built), tallies)
  // Without other processes, the version that runs is the one that counts.
  if (!shared) return { ...difference, isReplaced: false }
  const until = difference.until ?? (isNoted(declared, built) ? undefined : ofCollections(built))
  return {
    ...difference,
    until: until && withVersion(until, declared, built),
    isReplaced: isReplaced(declared, built),
  }
}

const rebuild = async (stores: Stores, project: Projection, options: RebuildOptions, only?: readonly string[]) => {
  const { log, readModels: store, shared } = stores
  const built = await store.fingerprints()
  const ofThese = withLeft(declared, ofCollections(built))
  const fingerprints = shared ? withVersion(ofThese, declared, built) : ofThese
  const deps = { log, store, project, fingerprints, ...options }
  if (!only) return rebuildReadModels({ ...deps, ...(await fillingFor(stores, options, fingerprints)) })
  const isRebuilt = ({ name }: { readonly name: string }) => only.includes(name)
  const rebuilt: Projected = {
    resources: resources.filter(isRebuilt),
    tallies: tallies.filter(({ collections }) => collections.some(isRebuilt)),
  }
  const all = [...resources, ...tallies.flatMap(({ collections }) => collections)]
  const others = all.flatMap((one) => (isRebuilt(one) ? [] : one.name))
  const carryOver = [...others, TOMBSTONES, FORMER_KEYS]
  return rebuildReadModels({ ...deps, keeping: { carryOver, others: projectionOf(stores, rebuilt) } })
}

/** Returns how a rebuild is filled by streams on threads, where that is possible and worthwhile. */
const fillingFor = async (stores: Stores, options: RebuildOptions, fingerprints: Fingerprints) => {
  const { log, fill } = stores
  const head = await log.lastPosition()
  const threads = options.threads ?? threadsFor(head + 1, options.quiesce !== undefined)
  if (!fill || threads === 0) return {}
  const joined = projectionOf(stores, { resources: splitByStream(resources).joined, tallies })
  const { signal } = options
  return {
    filling: {
      fill: (onEvents: FillOptions['onEvents']) => fill({ fingerprints, head, threads, signal, onEvents }),
      joined,
    },
  }
}

/** Adds the collections that are no longer declared. If one is declared again, its documents are missing. */
const withLeft = (declared: Fingerprints, built: Fingerprints | undefined): Fingerprints => {
  const left = [...(built?.keys() ?? [])].filter((name) => !declared.has(name))
  return new Map([...left.map((name) => [name, UNMAINTAINED] as const), ...declared])
}
