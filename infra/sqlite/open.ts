import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { connect, type Database } from './binding.ts'

/** Marks a file as one of Millrace's, for SQLite and for programs that identify files. */
const APPLICATION = 0x4d696c6c

/** Longest wait for a lock on a file that is being opened. */
const LOCKED_MS = 10_000

export interface FileKind {
  /** Name for messages, such as "event log". */
  readonly name: string
  /**
   * Steps from an empty file to the present layout; each raises `user_version` by one. Published steps never change: every version opens the
   * files of the version before.
   */
  readonly steps: readonly ((db: Database) => void)[]
  /** Number of the oldest layout that can be read as it is; default: the present one. */
  readonly readFrom?: number
}

/**
 * Opens a database of ours for writing and brings it to the present layout. A new file is readable for its owner only.
 * @param pragmas settings of this connection, made before the layout is changed
 * @throws {Error} when the file belongs to another program, has a newer version, or is damaged; nothing is changed then
 */
export const openFile = (path: string, kind: FileKind, pragmas: string): Database => {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  else if (!statSync(path).isFile()) throw new Error(`${path} is not a file, so it is not ${article(kind.name)}.`)
  const db = connect(path)
  try {
    // A process that was killed may hold its locks for a moment longer.
    db.exec(`PRAGMA busy_timeout = ${LOCKED_MS}`)
    check(db, path, kind)
    db.exec(pragmas)
    bringUp(db, kind)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens a database of ours for reading, even while it is written to. @throws {Error} as `openFile`, and when the file has an older version */
export const openReader = (path: string, kind: FileKind): Database => {
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  const db = connect(path, true)
  try {
    check(db, path, kind)
    if (numberIn(db, 'user_version') < (kind.readFrom ?? kind.steps.length)) {
      throw new Error(`${path} is of an older version of Millrace. Start the service once, which brings it up to date.`)
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Returns the single number that a pragma gives. */
export const numberIn = (db: Database, pragma: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() as object)[0])

/** Runs a change in its own transaction. @throws the error of the change, after a rollback */
export const atomically = <T>(db: Database, change: () => T): T => {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = change()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

const check = (db: Database, path: string, { name, steps }: FileKind): void => {
  const isOurs = numberIn(db, 'application_id') === APPLICATION
  const { count } = db.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (!isOurs && count > 0) {
    throw new Error(
      `${path} is a database of another program, not ${article(name)} of Millrace. Nothing was changed. Give another data directory.`,
    )
  }
  const version = numberIn(db, 'user_version')
  if (version <= steps.length) return
  throw new Error(
    `${path} has the layout ${version}; this version of Millrace knows layouts up to ${steps.length}. Run the version that wrote it.`,
  )
}

const bringUp = (db: Database, { steps }: FileKind): void => {
  const version = numberIn(db, 'user_version')
  if (version === steps.length) return
  atomically(db, () => {
    for (const step of steps.slice(version)) step(db)
    db.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${steps.length}`)
  })
}

const article = (name: string): string => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`)
