import type { Server } from 'node:net'
import path from 'node:path'
import type { Logger } from 'pino'
import { resources } from '../../domain/index.ts'
import { collectionsOf } from '../../projections/collections.ts'
import { type Config, ConfigError } from '../config.ts'
import { claimDataDirectory } from '../data-directory/claim.ts'
import { loadSecret } from '../data-directory/secret.ts'
import { openEmbeddedStore } from '../event-log/embedded/embedded-store.ts'
import { openEmbeddedReadModels } from '../read-models/embedded/store.ts'
import type { KeyStore } from '../vault/key-store.ts'
import type { Stores } from './core.ts'
import { publicIdsOf, secretsOf } from './secrets.ts'

/** Stores with what depends on where they are. */
export interface OpenedStores extends Stores {
  /** Where the keys of the vault are kept: for moving a log. */
  readonly keys: KeyStore
  /** Puts away what crashes have left; done now and then by one process. */
  tidy?(): Promise<unknown>
  /** Several processes may use them at once: what only one may do is done under a lease. */
  readonly shared: boolean
  /** Where the command line reaches this process; only with a data directory. */
  readonly control: Server | undefined
}

type Needed = Pick<Config, 'data' | 'secret' | 'eventStoreUrl' | 'mongoUrl'>

const collections = collectionsOf(resources)

// The drivers of the servers are loaded only where they are used: they would double the time of an embedded start.
const openEventStore = async (url: string, logger: Logger | undefined) => {
  const { openEventStoreLog } = await import('../event-log/eventstoredb/open.ts')
  const log = openEventStoreLog({ url, onWaiting: (message) => logger?.warn(message) })
  await log.ready()
  return log
}

const connectToMongo = async (url: string, logger: Logger | undefined) => {
  const { connectMongo } = await import('../mongodb/connection.ts')
  return connectMongo({ url, onWaiting: (message) => logger?.warn(message) })
}

/** Everything on the servers: any number of processes. */
const openShared = async (
  eventStoreUrl: string,
  mongoUrl: string,
  secretText: string,
  logger: Logger | undefined,
): Promise<OpenedStores> => {
  const [{ openReadModelsOn }, { MongoKeyStore }, { mongoCheckpoints }, { openVault }] = await Promise.all([
    import('../read-models/mongodb/store.ts'),
    import('../vault/mongodb.ts'),
    import('../checkpoints/mongodb.ts'),
    import('../vault/sealing-vault.ts'),
  ])
  const secret = await loadSecret('', secretText)
  const connection = await connectToMongo(mongoUrl, logger)
  const keys = new MongoKeyStore(connection)
  const log = await openEventStore(eventStoreUrl, logger)
  const readModels = await openReadModelsOn(connection, { collections })
  return {
    log,
    vault: await openVault(keys, secret),
    keys,
    readModels,
    checkpoints: mongoCheckpoints(connection),
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    shared: true,
    tidy: () => log.sweepClaims(),
    control: undefined,
    async close() {
      await readModels.close()
      await log.close()
      await connection.close()
    },
  }
}

/** At least one store in the data directory, which this process alone may write to while it has it. */
const openInDirectory = async (config: Needed, logger: Logger | undefined): Promise<OpenedStores> => {
  const directory = await claimDataDirectory(config.data)
  const secret = await loadSecret(directory.path, config.secret)
  const apart = config.eventStoreUrl !== undefined
  const embedded = await openEmbeddedStore(path.join(directory.path, 'log'), secret, { apart })
  const server = config.eventStoreUrl ? await openEventStore(config.eventStoreUrl, logger) : undefined
  const log = server ?? embedded.log
  const connection = config.mongoUrl ? await connectToMongo(config.mongoUrl, logger) : undefined
  const readModels = connection
    ? await (await import('../read-models/mongodb/store.ts')).openReadModelsOn(connection, { collections })
    : await openEmbeddedReadModels(path.join(directory.path, 'read-models'), collections)
  return {
    log,
    vault: embedded.vault,
    keys: embedded.keys,
    readModels,
    checkpoints: embedded.checkpoints,
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    shared: false,
    ...(server && { tidy: () => server.sweepClaims() }),
    control: directory.server,
    async close() {
      await readModels.close()
      await log.close()
      if (apart) await embedded.log.close()
      await connection?.close()
      await directory.release()
    },
  }
}

/**
 * The stores that the configuration names: each of log and read models is embedded or on a server, on its own.
 *
 * @param logger told while a server is waited for
 * @throws {Error} saying what to do, for a directory or a server that cannot be used
 */
export const openStores = (config: Needed, logger?: Logger): Promise<OpenedStores> => {
  const { eventStoreUrl, mongoUrl, secret } = config
  if (!eventStoreUrl || !mongoUrl) return openInDirectory(config, logger)
  if (!secret) throw new ConfigError('MILLRACE_SECRET must be given')
  return openShared(eventStoreUrl, mongoUrl, secret, logger)
}
