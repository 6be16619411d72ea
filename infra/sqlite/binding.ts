import type * as binding from '@photostructure/sqlite'

export type Database = binding.DatabaseSyncInstance
export type Statement = binding.StatementSyncInstance

/** Value that SQLite stores in a column. */
export type SqlValue = null | number | string | Uint8Array

/** Version of Node.js from which its `node:sqlite` is no longer experimental. */
const BUILT_IN_SINCE = [24, 15] as const

const isBuiltIn = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1])
}

/** Implementation of the `node:sqlite` interface that is used. */
const BINDING = isBuiltIn() ? 'node:sqlite' : '@photostructure/sqlite'

const { DatabaseSync } = (await import(BINDING)) as typeof binding

/** Connects to a database file, which is created unless `readOnly`. @throws {Error} of SQLite */
export const connect = (path: string, readOnly = false): Database =>
  // Waits for a lock of another program before it throws, but not for long, because the wait blocks the thread.
  new DatabaseSync(path, { readOnly, timeout: 1000 })
