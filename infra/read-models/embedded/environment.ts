import path from 'node:path'
import { open, type RootDatabase } from 'lmdb'

/**
 * `overlapping`: a commit reaches the disk soon after readers see it, and a crash of the machine leaves an older, consistent state.
 * `none`: nothing is forced to disk; a crash may leave rubbish.
 */
export type Durability = 'overlapping' | 'none'

/** Room for collections that an older program declared. */
const SPARE_DATABASES = 200

/** Opens, or creates, the LMDB environment in this directory. */
export function openEnvironment(directory: string, collections: number, durability: Durability): RootDatabase {
  return open({
    path: directory,
    maxDbs: collections + SPARE_DATABASES,
    // A batch is complete when it returns: with batches that stay open over the turn of the event loop, leaving the process in
    // that turn waits forever for the writing thread.
    eventTurnBatching: false,
    ...(durability === 'none' && { noSync: true }),
  })
}

export function dataFile(directory: string): string {
  return path.join(directory, 'data.mdb')
}
