import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { checkLogFile, DATA_FILE } from './file-check.ts'

export type Environment = RootDatabase<unknown, string>

/** Version of the layout of the tables. A change that an older Millrace cannot read raises it. */
const FORMAT = 1
const PRODUCT = 'millrace event log'

interface Identity {
  readonly product: string
  readonly format: number
  readonly id: string
  readonly created: string
}

/**
 * Opens the LMDB environment of a log, creating it in an empty or absent directory.
 * @throws {Error} when the directory holds something foreign, damaged, or of another format; nothing is changed then
 */
export function openEnvironment(directory: string): { env: Environment; meta: Database<unknown, string> } {
  const exists = checkLogFile(directory)
  if (!exists) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, DATA_FILE)
  const env = openRoot(directory, path)
  try {
    const tables = [...env.getKeys()]
    if (tables.length > 0 && !tables.includes('meta')) throw foreign(path)
    const meta = env.openDB<unknown, string>({ name: 'meta' })
    const identity = meta.get('identity') as Identity | undefined
    if (identity) checkIdentity(identity, path)
    else if (tables.length > 0) throw foreign(path)
    else
      meta.putSync('identity', {
        product: PRODUCT,
        format: FORMAT,
        id: randomUUID(),
        created: new Date().toISOString(),
      })
    return { env, meta }
  } catch (error) {
    void env.close()
    throw error
  }
}

function openRoot(directory: string, path: string): Environment {
  try {
    return open({
      path: directory,
      maxDbs: 16,
      // Address space, not disk or memory; LMDB grows it by itself when the log outgrows it.
      mapSize: 2 ** 34,
      // Otherwise lmdb-js opens a batch of its own, whose rejection on a full disk nobody can handle.
      eventTurnBatching: false,
    })
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The event log ${path} cannot be opened (${cause}). It is damaged, of another program, or not readable for this ` +
        'user. Nothing was changed. Check its permissions, or restore it from a backup.',
      { cause: error },
    )
  }
}

function checkIdentity(identity: Identity, path: string): void {
  if (identity.product !== PRODUCT) throw foreign(path)
  if (identity.format === FORMAT) return
  throw new Error(
    `The event log ${path} has format ${identity.format}; this version of Millrace reads format ${FORMAT}. ` +
      'Run the version of Millrace that wrote it.',
  )
}

function foreign(path: string): Error {
  return new Error(
    `${path} is a database of another program, not a Millrace event log. Nothing was changed. Give another data directory.`,
  )
}
