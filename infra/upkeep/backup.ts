import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { markOfCopy } from '../../workers/older-copy.ts'
import { copyBlobs } from '../blobs/copy.ts'
import type { Config } from '../config.ts'
import { directoryImportNote } from '../data-directory/import-note.ts'
import { copyMarker } from '../data-directory/marker.ts'
import { forceToDisk } from '../force-to-disk.ts'
import { LOG_FILE } from '../log-db/layout.ts'
import { markCopied } from '../log-db/mark.ts'
import { openReadOnly } from '../log-db/open-reader.ts'
import { ReactorTables } from '../log-db/reactor-tables.ts'
import { LogReader } from '../log-db/reading.ts'
import { keyHalvesFile, logFile } from '../log-db/store.ts'
import { closeToOthers } from '../owner-only.ts'
import { openFile } from '../sqlite/open.ts'
import { refuseUnfinished } from '../transfer/import-note.ts'
import { refuseApart } from './log-apart.ts'

type Places = Pick<Config, 'data'> & Partial<Pick<Config, 'eventStoreUrl'>>

export interface Backup {
  /** Position of the last event in the backup. */
  readonly position: number
  /** Folders. The log and the blobs may be kept for ever, the halves of the keys no longer than an erasure may take. */
  readonly log: string
  readonly keys: string
}

/** Says how a log on a server is backed up. */
const ON_SERVER =
  'the log is on EventStoreDB, which a copy of files does not reach. Write an archive, which holds the log, the claims, the reactor store and the ' +
  'keys: `millrace events export --archive FILE`, with the same settings, and copy the files (`blobs/` or the bucket) beside it. Or copy the servers ' +
  'by their own means, in the order that docs/operations.md gives, and run `millrace copy hold` on what was restored before it is started'

/**
 * Copies the log, the blobs and the keys of a data directory into two folders of a new or empty directory, with or without a running service. The log is
 * copied as of one moment, before the keys: keys that are made meanwhile do no harm, and keys that are destroyed meanwhile stay destroyed.
 * @throws {Error} when the target is not empty, there is nothing to copy, an import is not complete, or the log is on a server
 */
export const backUp = async ({ data: directory, eventStoreUrl }: Places, target: string): Promise<Backup> => {
  if (eventStoreUrl) throw new Error(ON_SERVER)
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Give a new directory.`)
  await refuseUnfinished(directoryImportNote(directory))
  const [log, keys] = [join(target, 'log'), join(target, 'keys')]
  const source = openReadOnly(directory)
  try {
    await refuseApart({ ...source, directory })
    for (const folder of [target, log, keys]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    source.db.prepare('VACUUM INTO ?').run(logFile(log))
    const position = finish(logFile(log))
    if (existsSync(keyHalvesFile(directory))) copyFileSync(keyHalvesFile(directory), keyHalvesFile(keys))
    copyMarker(directory, log)
    // Copied after the log: all blobs that it calls complete are then there, and newer ones are written again.
    copyBlobs(directory, log)
    for (const folder of [log, keys]) {
      closeToOthers(folder)
      forceFolder(folder)
    }
    return { position, log, keys }
  } finally {
    await source.close()
  }
}

/** Marks the copy as complete, even if the original is in use, and as a copy, of which nothing leaves the house unasked. @returns the position of its last event */
const finish = (path: string): number => {
  const db = openFile(path, LOG_FILE, '')
  try {
    markCopied(db)
    const position = new LogReader(db, path).lastPosition()
    new ReactorTables(db).enter(markOfCopy(position))
    return position
  } finally {
    db.close()
  }
}

const forceFolder = (folder: string): void => {
  for (const name of readdirSync(folder)) forceToDisk(join(folder, name))
  forceToDisk(folder)
}
