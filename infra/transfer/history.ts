import type { Config } from '../config.ts'
import { openReadOnly, type ReadOnlyStore } from '../log-db/open-reader.ts'

type Where = Pick<Config, 'data' | 'eventStoreUrl' | 'mongoUrl'>

/** Keys, checkpoints and books wherever they are when the log is on EventStoreDB. */
const besideServer = async ({ data, mongoUrl }: Where): Promise<Omit<ReadOnlyStore, 'log'>> => {
  if (!mongoUrl) return openReadOnly(data)
  const [{ connectMongo }, { MongoKeyStore }, { mongoCheckpoints }, { MongoReactorStore }] = await Promise.all([
    import('../mongodb/connection.ts'),
    import('../mongodb/vault-keys.ts'),
    import('../mongodb/checkpoints.ts'),
    import('../mongodb/reactor-store.ts'),
  ])
  const connection = await connectMongo({ url: mongoUrl, onWaiting: warn })
  const close = () => connection.close()
  return {
    keys: new MongoKeyStore(connection),
    checkpoints: mongoCheckpoints(connection),
    reactorStore: new MongoReactorStore(connection),
    close,
  }
}

/**
 * The history of an installation, to read: from the file of its log, beside a running service or without one, or from its server.
 * @throws {Error} when there is none, or it cannot be reached
 */
export const openHistory = async (config: Where): Promise<ReadOnlyStore> => {
  if (!config.eventStoreUrl) return openReadOnly(config.data)
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
