import path from 'node:path'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { statusOf } from '../control/client.ts'
import { claimWhenLeft, type DataDirectory } from '../data-directory/claim.ts'
import { directoryImportNote } from '../data-directory/import-note.ts'
import { directoryLeftOff } from '../data-directory/left-off.ts'
import { loadSecret } from '../data-directory/secret.ts'
import { openSqliteStore, type SqliteStore } from '../log-db/store.ts'
import type { MongoConnection } from '../mongodb/connection.ts'
import { openSqliteReadModels } from '../read-models/sqlite/store.ts'
import { type FillOptions, fillByStreams } from '../runtime/filling.ts'
import { publicIdsOf, secretsOf } from '../runtime/secrets.ts'
import { openShortTermStore } from '../sqlite/short-term-store.ts'
import { refuseUnfinished } from '../transfer/import-note.ts'
import {
  awayOf,
  collections,
  connectToMongo,
  type OpenedStores,
  openBlobs,
  openEventStore,
  probeAll,
  type StoreConfig,
  sweep,
} from './opened.ts'

export type { OpenedStores } from './opened.ts'

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
  const shortTerm = openShortTermStore(path.join(data, 'short-term.db'))
  closing.push(async () => shortTerm.close())
  return {
    log: server ?? stored.log,
    vault: stored.vault,
    keys: stored.keys,
    importNote,
    leftOff: directoryLeftOff(data),
    readModels,
    checkpoints: stored.checkpoints,
    reactorStore: stored.reactorStore,
    shortTerm,
    blobs: await openBlobs(config),
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    ...(views &&
      !server && { fill: (filling: FillOptions) => fillByStreams({ directory: data, secret, views }, filling) }),
    tidy: () => Promise.all([server?.sweepClaims(), sweep(shortTerm)]),
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
export const openStores = async (config: StoreConfig, logger?: Logger): Promise<OpenedStores> => {
  const { eventStoreUrl, mongoUrl, secret } = config
  if (!eventStoreUrl || !mongoUrl) return openInDirectory(config, logger)
  if (!secret) throw new ConfigError('MILLRACE_SECRET must be given')
  const { openShared } = await import('./shared.ts')
  return openShared({ ...config, mongoUrl, secret }, logger)
}
