import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Database } from '../sqlite/binding.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { openFile } from '../sqlite/open.ts'
import { writeAheadBytes } from '../sqlite/write-ahead.ts'
import { KeyHalves } from '../vault/key-halves.ts'
import type { KeyStore } from '../vault/key-store.ts'
import { openVault } from '../vault/sealing-vault.ts'
import { SqliteCheckpoints } from './checkpoints.ts'
import { Executor, type WriterThread } from './executor.ts'
import { GroupCommit } from './group-commit.ts'
import { BUSY_TIMEOUT_PRAGMA, LOG_FILE, WRITER_PRAGMAS } from './layout.ts'
import { isClosed, LogLoss, markClosed, markOpen, readMeta, renewIdentity } from './mark.ts'
import { SqliteReactorStore } from './reactor-store.ts'
import { LogReader } from './reading.ts'
import { SqliteLog } from './sqlite-log.ts'
import { Tables } from './tables.ts'
import { SqliteKeyStore, SqliteKeys, unfinishedErasures } from './vault-keys.ts'

const LOG = 'log.db'
const KEY_HALVES = 'key-halves'

/** Paths of the log of a data directory, and of the halves of its keys. */
export const logFile = (directory: string): string => join(directory, LOG)
export const keyHalvesFile = (directory: string): string => join(directory, KEY_HALVES)

export interface LogOptions {
  /** Clock by which claims expire, in milliseconds since 1970; default: that of the machine. */
  readonly now?: () => number
  /** The log is elsewhere; only the keys, the checkpoints and the reactor store of this file are used. */
  readonly apart?: boolean
  /** Opens a log whose last events may be missing. */
  readonly acceptLoss?: boolean
  /** Called with messages for the operator. */
  readonly say?: (message: string) => void
}

export interface SqliteStore {
  readonly log: SqliteLog
  readonly keys: KeyStore
  readonly checkpoints: Checkpoints
  readonly reactorStore: ReactorStore
  /** Unique id of the log. A copy, and a log that has lost events, have an id of their own. */
  readonly identity: string
  /** Gives the log another identity, because it has lost events that others have seen. */
  renewIdentity(): void
  /** Size of the write-ahead log in bytes. It grows during a long read. */
  writeAheadBytes(): number
}

/**
 * Opens the event log of a directory, with the keys, the checkpoints and the reactor store; creates it where there is none. They share a file, so
 * that an event is never on disk without the key to read it. The caller ensures that no other process has it open for writing (see the data
 * directory). Closing the log closes them all.
 * @throws {Error} when the file is foreign, damaged, of a newer layout, missing, or lacks its end; nothing is changed then
 */
export const openSqliteLog = async (directory: string, options: LogOptions = {}): Promise<SqliteStore> => {
  const path = logFile(directory)
  const { now = Date.now, apart = false, say = () => undefined } = options
  const db = open(path, options)
  try {
    const reader = new LogReader(db, path)
    const executor = new Executor(db, path, (runsOn, median) => say(moved(runsOn, median)))
    const commit = new GroupCommit(executor, path, now)
    const halves = new KeyHalves(keyHalvesFile(directory))
    for (const { slot } of unfinishedErasures(db, halves)) await halves.erase(slot)
    const shut = async () => {
      halves.close()
      await executor.close()
      try {
        markClosed(db)
      } catch (error) {
        // Nothing is lost: the next start continues from the write-ahead log.
        say(`the event log ${path} could not be marked as closed (${(error as Error).message})`)
      }
      db.close()
    }
    const checkpoints = new SqliteCheckpoints(db, commit, apart)
    const beforeLast = () => checkpoints.flushAll()
    const log = new SqliteLog({ reader, tables: new Tables(db), commit, now, beforeLast, shut })
    return {
      log,
      keys: new SqliteKeyStore(new SqliteKeys(db, halves), commit, halves, apart),
      checkpoints,
      reactorStore: new SqliteReactorStore(db, commit, checkpoints),
      get identity() {
        return readMeta(db, 'id')!
      },
      renewIdentity: () => renewIdentity(db),
      writeAheadBytes: () => writeAheadBytes(path),
    }
  } catch (error) {
    // Closing removes the write-ahead log. Without the mark, the next start would take it for lost.
    markClosed(db)
    db.close()
    throw error
  }
}

/**
 * Opens the log as `openSqliteLog` does, with the vault over its keys.
 * @param secret the master secret, at least 32 bytes
 * @throws {Error} as `openSqliteLog`, and when the stored keys belong to another master secret
 */
export const openSqliteStore = async (
  directory: string,
  secret: Uint8Array,
  options: LogOptions = {},
): Promise<SqliteStore & { readonly vault: Vault }> => {
  const store = await openSqliteLog(directory, options)
  try {
    return Object.assign(store, { vault: await openVault(store.keys, secret) })
  } catch (error) {
    await store.log.close()
    throw error
  }
}

const open = (path: string, options: LogOptions): Database => {
  mustNotBeLost(path)
  const hadWriteAheadLog = writeAheadBytes(path) > 0
  try {
    const db = openFile(path, LOG_FILE, WRITER_PRAGMAS)
    try {
      checkEnd(db, path, hadWriteAheadLog, options)
      markOpen(db)
      db.exec(BUSY_TIMEOUT_PRAGMA)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    throw asUnavailable(`The event log ${path} cannot be opened`, error)
  }
}

/** Checks that the log is complete up to its end, and that the end can be read. @throws {LogLoss} when events may be missing */
const checkEnd = (db: Database, path: string, hadWriteAheadLog: boolean, { acceptLoss, say }: LogOptions): void => {
  const reader = new LogReader(db, path)
  const last = reader.lastPosition()
  if (last >= 0) reader.events(last, last, 1)
  if (isClosed(db) || hadWriteAheadLog) return
  const loss = new LogLoss(path, last)
  if (!acceptLoss) throw loss
  renewIdentity(db)
  say?.(`${loss.message} It was started with --accept-loss.`)
}

const mustNotBeLost = (path: string): void => {
  const left = [keyHalvesFile(dirname(path)), join(dirname(path), 'views.db')].filter((file) => existsSync(file))
  if (existsSync(path) || left.length === 0) return
  throw new Error(
    `${dirname(path)} has lost its event log: there is ${left[0]} but no ${LOG}. Restore it from a backup, or give an empty directory to start a new log.`,
  )
}

const moved = (runsOn: WriterThread, medianMs: number): string => {
  const thread = runsOn === 'main thread' ? 'the main thread' : 'a separate thread'
  return `a commit of the log takes ${medianMs.toFixed(1)} ms: commits run on ${thread} from now on`
}
