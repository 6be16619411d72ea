import type { ReadOnlyStore } from '../log-db/open-reader.ts'

/**
 * Refuses a data directory whose log is on a server that the settings do not name. Its own file has no event, although something has followed a log.
 *
 * @throws {Error} that says what to set
 */
export const refuseApart = async ({
  log,
  checkpoints,
  directory,
}: Pick<ReadOnlyStore, 'log' | 'checkpoints'> & { readonly directory: string }): Promise<void> => {
  if ((await log.lastPosition()) >= 0) return
  const followed = [...(await checkpoints.all()).values()].some((position) => position >= 0)
  if (followed)
    throw new Error(
      `the log of ${directory} is not in it, but on EventStoreDB: set EVENTSTOREDB_URL (and MONGODB_URL, if it is used) as the service has it`,
    )
}
