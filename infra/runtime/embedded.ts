import path from 'node:path'
import { resources } from '../../domain/index.ts'
import { collectionsOf } from '../../projections/collections.ts'
import type { Config } from '../config.ts'
import { claimDataDirectory } from '../data-directory/claim.ts'
import { loadSecret } from '../data-directory/secret.ts'
import { openEmbeddedStore } from '../event-log/embedded/embedded-store.ts'
import { openEmbeddedReadModels } from '../read-models/embedded/store.ts'
import type { Stores } from './core.ts'
import { publicIdsOf } from './secrets.ts'

/** The stores in a data directory, which this process alone may write to while it has them. */
export const openEmbeddedStores = async (config: Pick<Config, 'data' | 'secret'>) => {
  const directory = await claimDataDirectory(config.data)
  const secret = await loadSecret(directory.path, config.secret)
  const { log, vault, checkpoints } = await openEmbeddedStore(path.join(directory.path, 'log'), secret)
  const readModels = await openEmbeddedReadModels(path.join(directory.path, 'read-models'), collectionsOf(resources))
  const close = async () => {
    await readModels.close()
    await log.close()
    await directory.release()
  }
  return {
    log,
    vault,
    readModels,
    checkpoints,
    publicIds: publicIdsOf(secret),
    close,
    control: directory.server,
  } satisfies Stores & Record<string, unknown>
}
