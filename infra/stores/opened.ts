import type { Server } from 'node:net'
import path from 'node:path'
import type { Logger } from 'pino'
import { resources, tallies } from '../../domain/index.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import { collectionsOf } from '../../projections/collections.ts'
import type { LeftOff } from '../../workers/left-off.ts'
import { BLOBS, directoryBlobs } from '../blobs/directory.ts'
import type { Config } from '../config.ts'
import type { LeaseStore } from '../leases.ts'
import type { MongoConnection } from '../mongodb/connection.ts'
import type { Stores } from '../runtime/core.ts'
import type { ImportNote } from '../transfer/import-note.ts'
import type { KeyStore } from '../vault/key-store.ts'

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

/** Collections that every read model has. */
export const collections = collectionsOf(resources, tallies)

export type StoreConfig = Pick<Config, 'data' | 'secret' | 'eventStoreUrl' | 'mongoUrl'> &
  Partial<Pick<Config, 'acceptLoss' | 's3'>> & {
    /** Whether a log is being moved here. Writes to a server then stay in order and are not retried, and the log may be there in part. */
    readonly moving?: boolean
  }

/** Opens a bucket, or a directory. Processes that share the servers must share it as well. */
export const openBlobs = async ({ data, s3 }: Pick<StoreConfig, 'data' | 's3'>) =>
  s3 ? (await import('../blobs/s3.ts')).s3Blobs(s3) : directoryBlobs(path.join(data, BLOBS))

/** Opens the log on a server. Its driver is loaded only here, because it would double the time of an embedded start. */
export const openEventStore = async (
  { eventStoreUrl: url = '', moving = false }: StoreConfig,
  logger: Logger | undefined,
) => {
  const { openEventStoreLog } = await import('../eventstoredb/open.ts')
  const log = openEventStoreLog({ url, once: moving, onWaiting: (message) => logger?.warn(message) })
  await log.ready()
  return log
}

/** Returns a sentence for each store that does not answer, without addresses, because anyone may see them. */
export const awayOf = (
  log: { readonly lostSince: number | undefined } | undefined,
  mongo: MongoConnection | undefined,
): readonly string[] => [
  ...(log?.lostSince === undefined
    ? []
    : [`the event log has not answered since ${new Date(log.lostSince).toISOString()}`]),
  ...(mongo?.outage === undefined && mongo?.silence === undefined ? [] : ['the read models cannot be reached']),
]

/** Asks the servers whether they answer, all at once. */
export const probeAll = async (...servers: readonly ({ probe(): Promise<void> } | undefined)[]): Promise<void> => {
  await Promise.all(servers.map((server) => server?.probe()))
}

/** Most expired records that are swept away at once. */
const SWEPT = 10_000

/** Removes what has expired in a short-term store. */
export const sweep = (shortTerm: ShortTermStore) => shortTerm.sweep(Date.now(), SWEPT)

/** Connects to the server of the read models. Its driver is loaded only here. */
export const connectToMongo = async (url: string, logger: Logger | undefined) => {
  const { connectMongo } = await import('../mongodb/connection.ts')
  return connectMongo({ url, onWaiting: (message) => logger?.warn(message) })
}
