import type { Server } from 'node:net'
import path from 'node:path'
import type { Logger } from 'pino'
import { resources, tallies } from '../../domain/index.ts'
import { collectionsOf } from '../../projections/collections.ts'
import type { LeftOff } from '../../workers/older-copy.ts'
import { BLOBS, directoryBlobs } from '../blobs/directory.ts'
import { type Config, ConfigError } from '../config.ts'
import { statusOf } from '../control/client.ts'
import { claimWhenLeft, type DataDirectory } from '../data-directory/claim.ts'
import { directoryImportNote } from '../data-directory/import-note.ts'
import { directoryLeftOff } from '../data-directory/left-off.ts'
import { loadSecret } from '../data-directory/secret.ts'
import type { LeaseStore } from '../leases.ts'
import { openSqliteStore, type SqliteStore } from '../log-db/store.ts'
import type { MongoConnection } from '../mongodb/connection.ts'
import { openSqliteReadModels } from '../read-models/sqlite/store.ts'
import { type ImportNote, refuseUnfinished } from '../transfer/import-note.ts'
import type { KeyStore } from '../vault/key-store.ts'
import type { Stores } from './core.ts'
import { type FillOptions, fillByStreams } from './filling.ts'
import { publicIdsOf, secretsOf } from './secrets.ts'

/** Stores, with operations that depend on where they are. */
export interface OpenedStores extends Stores {
  /** Keys of the vault, for moving a log. */
  readonly keys: KeyStore
  /** Note of an import into these stores that is not complete. */
  readonly importNote: ImportNote
  /** Note of how far the service had come; only with a data directory. */
  readonly leftOff?: LeftOff
  /** Removes what crashes have left. Called now and then by one process. */
  tidy?(): Promise<unknown>
  /** Leases for work that only one process may do; only where several processes use the stores. */
  readonly leases?: LeaseStore
  /** Asks each store on a server whether it answers; resolves when that is known. */
  probe?(): Promise<void>
  /** Returns a sentence for each store that does not answer, as far as that is known. */
  away?(): readonly string[]
  /** Stops waiting for a store that does not answer. Waiting calls fail because it is unavailable. */
  giveUp?(): void
  /** Sizes of the write-ahead logs in the data directory, by file; bytes. */
  writeAheadBytes?(): { readonly log: number; readonly views?: number }
  /** Server for the command line; only with a data directory. */
  readonly control: Server | undefined
}

type StoreConfig = Pick<Config, 'data' | 'secret' | 'eventStoreUrl' | 'mongoUrl'> &
  Partial<Pick<Config, 'acceptLoss' | 's3'>> & {
    /** Whether a log is being moved here. Writes to a server then stay in order and are not retried, and the log may be there in part. */
    readonly moving?: boolean
  }

const collections = collectionsOf(resources, tallies)

/** Opens a bucket, or a directory. Processes that share the servers must share it as well. */
const openBlobs = async ({ data, s3 }: Pick<StoreConfig, 'data' | 's3'>) =>
  s3 ? (await import('../blobs/s3.ts')).s3Blobs(s3) : directoryBlobs(path.join(data, BLOBS))

// Drivers of servers are loaded only where they are used, because they would double the time of an embedded start.
const openEventStore = async ({ eventStoreUrl: url = '', moving = false }: StoreConfig, logger: Logger | undefined) => {
  const { openEventStoreLog } = await import('../eventstoredb/open.ts')
  const log = openEventStoreLog({ url, once: moving, onWaiting: (message) => logger?.warn(message) })
  await log.ready()
  return log
}

/** Returns a sentence for each store that does not answer, without addresses, because anyone may see them. */
const awayOf = (
  log: { readonly lostSince: number | undefined } | undefined,
  mongo: MongoConnection | undefined,
): readonly string[] => [
  ...(log?.lostSince === undefined
    ? []
    : [`the event log has not answered since ${new Date(log.lostSince).toISOString()}`]),
  ...(mongo?.outage === undefined && mongo?.silence === undefined ? [] : ['the read models cannot be reached']),
]

/** Asks the servers whether they answer, all at once. */
const probeAll = async (...servers: readonly ({ probe(): Promise<void> } | undefined)[]): Promise<void> => {
  await Promise.all(servers.map((server) => server?.probe()))
}

const connectToMongo = async (url: string, logger: Logger | undefined) => {
  const { connectMongo } = await import('../mongodb/connection.ts')
  return connectMongo({ url, onWaiting: (message) => logger?.warn(message) })
}

/** Opens all stores on servers, for any number of processes. */
const openShared = async (
  config: StoreConfig & { readonly mongoUrl: string; readonly secret: string },
  logger: Logger | undefined,
): Promise<OpenedStores> => {
  const [
    { openReadModelsOn },
    { MongoKeyStore },
    { mongoCheckpoints },
    { MongoReactorStore },
    { MongoLeases },
    { mongoImportNote },
    { openVault },
  ] = await Promise.all([
    import('../read-models/mongodb/store.ts'),
    import('../mongodb/vault-keys.ts'),
    import('../mongodb/checkpoints.ts'),
    import('../mongodb/reactor-store.ts'),
    import('../mongodb/leases.ts'),
    import('../mongodb/import-note.ts'),
    import('../vault/sealing-vault.ts'),
  ])
  const { mongoUrl } = config
  const secret = await loadSecret('', config.secret)
  const connection = await connectToMongo(mongoUrl, logger)
  const importNote = mongoImportNote(connection)
  if (!config.moving) await refuseUnfinished(importNote)
  const keys = new MongoKeyStore(connection)
  const log = await openEventStore(config, logger)
  const readModels = await openReadModelsOn(connection, { collections })
  return {
    log,
    vault: await openVault(keys, secret),
    keys,
    importNote,
    readModels,
    checkpoints: mongoCheckpoints(connection),
    reactorStore: new MongoReactorStore(connection),
    leases: new MongoLeases(connection),
    blobs: await openBlobs(config),
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    shared: true,
    tidy: () => log.sweepClaims(),
    probe: () => probeAll(log, connection),
    away: () => awayOf(log, connection),
    giveUp: () => connection.giveUp(),
    control: undefined,
    async close() {
      await readModels.close()
      await log.close()
      await connection.close()
    },
  }
}

/** Opens stores of which at least one is in the data directory. Only this process may write to it until they are closed. */
const openInDirectory = async (config: StoreConfig, logger: Logger | undefined): Promise<OpenedStores> => {
  const directory = await claimWhenLeft(config.data, async (socket) => (await statusOf(socket))?.ending === true)
  const closing: (() => Promise<void>)[] = [() => directory.release()]
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each()
  }
  try {
    return { ...(await openEach(config, directory, closing, logger)), control: directory.server, shared: false, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

/** Opens one store after the other, and adds to `closing` how to close each. */
const openEach = async (
  config: StoreConfig,
  { path: data }: DataDirectory,
  closing: (() => Promise<void>)[],
  logger: Logger | undefined,
) => {
  const { eventStoreUrl, mongoUrl, acceptLoss = false } = config
  const say = (message: string) => logger?.warn(message)
  const importNote = directoryImportNote(data)
  if (!config.moving) await refuseUnfinished(importNote)
  const secret = await loadSecret(data, config.secret)
  const stored = await openSqliteStore(data, secret, { apart: eventStoreUrl !== undefined, acceptLoss, say })
  closing.push(() => stored.log.close())
  const server = eventStoreUrl ? await openEventStore(config, logger) : undefined
  if (server) closing.push(() => server.close())
  const views = mongoUrl ? undefined : await openViews(data, stored, server === undefined, say)
  const mongo = mongoUrl ? await connectToMongo(mongoUrl, logger) : undefined
  if (mongo) closing.push(() => mongo.close())
  const readModels = views ?? (await openOnMongo(mongo!))
  closing.push(() => readModels.close())
  return {
    log: server ?? stored.log,
    vault: stored.vault,
    keys: stored.keys,
    importNote,
    leftOff: directoryLeftOff(data),
    readModels,
    checkpoints: stored.checkpoints,
    reactorStore: stored.reactorStore,
    blobs: await openBlobs(config),
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    ...(views &&
      !server && { fill: (filling: FillOptions) => fillByStreams({ directory: data, secret, views }, filling) }),
    ...(server && { tidy: () => server.sweepClaims() }),
    giveUp: () => mongo?.giveUp(),
    ...((server ?? mongo) && { probe: () => probeAll(server, mongo) }),
    away: () => awayOf(server, mongo),
    writeAheadBytes: () => ({ log: stored.writeAheadBytes(), ...(views && { views: views.wal() }) }),
  }
}

/** Opens the embedded read models. Documents that are ahead of the log show events that it has lost, so they are discarded. */
const openViews = async (data: string, stored: SqliteStore, beside: boolean, say: (message: string) => void) => {
  const file = path.join(data, 'views.db')
  const options = {
    // A getter, because the identity changes below and is read whenever documents are built.
    get logId() {
      return stored.identity
    },
    onDamage: say,
  }
  const views = await openSqliteReadModels(file, collections, options)
  const [reached, last] = [await views.live.checkpoint(), await stored.log.lastPosition()]
  if (!beside || reached <= last) return views
  say(
    `${file} has reached position ${reached}, but the log ends at ${last}: the log has lost what came after, or an older copy of it was restored. ` +
      'The documents are built anew from what is there.',
  )
  stored.renewIdentity()
  await views.discard()
  return views
}

const openOnMongo = async (connection: MongoConnection) => {
  const { openReadModelsOn } = await import('../read-models/mongodb/store.ts')
  return openReadModelsOn(connection, { collections })
}

/**
 * Opens the stores that the configuration names. The log and the read models are each embedded or on a server.
 *
 * @param logger gets a warning while a server is waited for
 * @throws {Error} that says what to do, for a directory or a server that cannot be used
 */
export const openStores = (config: StoreConfig, logger?: Logger): Promise<OpenedStores> => {
  const { eventStoreUrl, mongoUrl, secret } = config
  if (!eventStoreUrl || !mongoUrl) return openInDirectory(config, logger)
  if (!secret) throw new ConfigError('MILLRACE_SECRET must be given')
  return openShared({ ...config, mongoUrl, secret }, logger)
}
