import { randomUUID } from 'node:crypto'
import type { Database } from '../sqlite/binding.ts'

/** What was committed last may be missing: the write-ahead log was deleted, or not copied along. */
export class LogLoss extends Error {
  constructor(path: string, last: number) {
    super(
      `${path} was not closed in order, and its write-ahead log (${path}-wal) is gone: what was written last may be missing. ` +
        `It ends at position ${last}. Put the write-ahead log back if you have it, or restore a backup. ` +
        'If you know that nothing is missing, or accept what is, start once with --accept-loss.',
    )
  }
}

export const readMeta = (db: Database, name: string): string | undefined =>
  (db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value

const writeMeta = (db: Database, name: string, value: string): void => {
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
}

/** Whether the file was closed in order, or never written to. */
export const isClosed = (db: Database): boolean => readMeta(db, 'state') !== 'open'

/**
 * Says in the file that it is being written to, until `markClosed`. From then on it has a write-ahead log of some length, so that
 * one that is gone is missed.
 */
export const markOpen = (db: Database): void => {
  if (readMeta(db, 'id') === undefined) renewIdentity(db)
  writeMeta(db, 'state', 'open')
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
}

/** The last thing written: nothing is left beside the file then, unless somebody reads it. */
export const markClosed = (db: Database): void => {
  writeMeta(db, 'state', 'closed')
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** For a copy that is whole although the original is being written to. It is a log of its own from here on. */
export const markCopied = (db: Database): void => {
  writeMeta(db, 'state', 'closed')
  renewIdentity(db)
}

/** What was derived from the log as it was must not be taken for derived from it as it is: a log that has lost something is another one. */
export const renewIdentity = (db: Database): void => {
  writeMeta(db, 'id', randomUUID())
}
