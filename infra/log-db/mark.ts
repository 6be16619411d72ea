import { randomUUID } from 'node:crypto'
import type { Database } from '../sqlite/binding.ts'

/** The last commits may be missing: the write-ahead log was deleted, or not copied along. */
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

/** Whether the file was closed properly, or never written to. */
export const isClosed = (db: Database): boolean => readMeta(db, 'state') !== 'open'

/**
 * Marks the file as being written to, until `markClosed`. From then on its write-ahead log is not empty, so that a missing one is noticed.
 */
export const markOpen = (db: Database): void => {
  if (readMeta(db, 'id') === undefined) renewIdentity(db)
  writeMeta(db, 'state', 'open')
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
}

/** Marks the file as closed. This is the last write: no write-ahead log is left beside the file, unless a reader is active. */
export const markClosed = (db: Database): void => {
  writeMeta(db, 'state', 'closed')
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Marks a copy as closed although the original is being written to. The copy is complete, and a log of its own from now on. */
export const markCopied = (db: Database): void => {
  writeMeta(db, 'state', 'closed')
  renewIdentity(db)
}

/** Gives the log a new identity. A log that has lost events is another log: data that was derived from it before must not be used any more. */
export const renewIdentity = (db: Database): void => {
  writeMeta(db, 'id', randomUUID())
}
