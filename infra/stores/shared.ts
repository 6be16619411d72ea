import type { Logger } from 'pino'
import { loadSecret } from '../data-directory/secret.ts'
import { mongoCheckpoints } from '../mongodb/checkpoints.ts'
import { mongoImportNote } from '../mongodb/import-note.ts'
import { MongoLeases } from '../mongodb/leases.ts'
import { MongoReactorStore } from '../mongodb/reactor-store.ts'
import { openMongoShortTermStore } from '../mongodb/short-term-store.ts'
import { MongoKeyStore } from '../mongodb/vault-keys.ts'
import { openReadModelsOn } from '../read-models/mongodb/store.ts'
import { publicIdsOf, secretsOf } from '../runtime/secrets.ts'
import { refuseUnfinished } from '../transfer/import-note.ts'
import { openVault } from '../vault/sealing-vault.ts'
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

/** Opens all stores on servers, for any number of processes. */
export const openShared = async (
  config: StoreConfig & { readonly mongoUrl: string; readonly secret: string },
  logger: Logger | undefined,
): Promise<OpenedStores> => {
  const { mongoUrl } = config
  const secret = await loadSecret('', config.secret)
  const connection = await connectToMongo(mongoUrl, logger)
  const importNote = mongoImportNote(connection)
  if (!config.moving) await refuseUnfinished(importNote)
  const keys = new MongoKeyStore(connection)
  const log = await openEventStore(config, logger)
  const readModels = await openReadModelsOn(connection, { collections })
  const shortTerm = await openMongoShortTermStore(connection)
  return {
    log,
    vault: await openVault(keys, secret),
    keys,
    importNote,
    readModels,
    checkpoints: mongoCheckpoints(connection),
    reactorStore: new MongoReactorStore(connection),
    leases: new MongoLeases(connection),
    shortTerm,
    blobs: await openBlobs(config),
    publicIds: publicIdsOf(secret),
    secrets: secretsOf(secret),
    shared: true,
    tidy: () => Promise.all([log.sweepClaims(), sweep(shortTerm)]),
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
