import type * as binding from '@photostructure/sqlite'

export type Database = binding.DatabaseSyncInstance
export type Statement = binding.StatementSyncInstance

/** What SQLite stores in a column. */
export type SqlValue = null | number | string | Uint8Array

/** From here on Node.js's own `node:sqlite` is no longer an experiment. */
const BUILT_IN_SINCE = [24, 15] as const

const isBuiltIn = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1])
}

/** Which implementation of the interface of `node:sqlite` is used. */
const BINDING = isBuiltIn() ? 'node:sqlite' : '@photostructure/sqlite'

const { DatabaseSync } = (await import(BINDING)) as typeof binding

/** A connection to a database file, which is created unless `readOnly`. @throws {Error} of SQLite */
export const connect = (path: string, readOnly = false): Database =>
  // A lock of another program is waited for before an error comes, but not for long: it holds up the thread.
  new DatabaseSync(path, { readOnly, timeout: 1000 })
