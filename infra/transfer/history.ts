import type { Config } from '../config.ts'
import { directoryImportNote } from '../data-directory/import-note.ts'
import { openReadOnly, type ReadOnlyStore } from '../log-db/open-reader.ts'
import type { ImportNote } from './import-note.ts'

/** Read access to the history of an installation. */
interface History extends ReadOnlyStore {
  readonly importNote: ImportNote
}

type StoreLocations = Pick<Config, 'data'> & Partial<Pick<Config, 'eventStoreUrl' | 'mongoUrl'>>

/** Opens the keys, the checkpoints and the reactor store of an installation whose log is in EventStoreDB. */
const besideServer = async ({ data, mongoUrl }: StoreLocations): Promise<Omit<History, 'log'>> => {
  if (!mongoUrl) return { ...openReadOnly(data), importNote: directoryImportNote(data) }
  const [{ connectMongo }, { MongoKeyStore }, { mongoCheckpoints }, { MongoReactorStore }, { mongoImportNote }] =
    await Promise.all([
      import('../mongodb/connection.ts'),
      import('../mongodb/vault-keys.ts'),
      import('../mongodb/checkpoints.ts'),
      import('../mongodb/reactor-store.ts'),
      import('../mongodb/import-note.ts'),
    ])
  const connection = await connectMongo({ url: mongoUrl, onWaiting: warn })
  const close = () => connection.close()
  return {
    keys: new MongoKeyStore(connection),
    checkpoints: mongoCheckpoints(connection),
    reactorStore: new MongoReactorStore(connection),
    importNote: mongoImportNote(connection),
    close,
  }
}

/**
 * Opens the history of an installation for reading: from the file of its log, with or without a running service, or from its server.
 * @throws {Error} when there is none, or it cannot be reached
 */
export const openHistory = async (config: StoreLocations): Promise<History> => {
  if (!config.eventStoreUrl) return { ...openReadOnly(config.data), importNote: directoryImportNote(config.data) }
  const { openEventStoreLog } = await import('../eventstoredb/open.ts')
  const log = openEventStoreLog({ url: config.eventStoreUrl, onWaiting: warn })
  await log.ready()
  const beside = await besideServer(config)
  return {
    ...beside,
    log,
    async close() {
      await beside.close()
      await log.close()
    },
  }
}

const warn = (message: string): void => void process.stderr.write(`millrace: ${message}\n`)
