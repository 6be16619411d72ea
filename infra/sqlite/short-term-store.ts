import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type FileKind, openFile } from './open.ts'
import { Statements } from './statements.ts'

const KIND: FileKind = {
  name: 'short-term store',
  steps: [
    (db) =>
      db.exec(`
        CREATE TABLE record (
          kind TEXT NOT NULL, key TEXT NOT NULL, alias TEXT, of_group TEXT, until INTEGER, data TEXT NOT NULL,
          PRIMARY KEY (kind, key)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX by_alias ON record (kind, alias) WHERE alias IS NOT NULL;
        CREATE INDEX by_group ON record (of_group) WHERE of_group IS NOT NULL;
        CREATE INDEX by_time ON record (until) WHERE until IS NOT NULL;
      `),
  ],
}

const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'

const PUT = 'INSERT INTO record (kind, key, alias, of_group, until, data) VALUES (?, ?, ?, ?, ?, ?)'
const REPLACE =
  ' ON CONFLICT (kind, key) DO UPDATE SET alias = excluded.alias, of_group = excluded.of_group, until = excluded.until, data = excluded.data'
const UNLESS_THERE = ' ON CONFLICT DO NOTHING'
const IS_THERE = '(until IS NULL OR until > ?)'

const opened = (row: unknown): JsonObject | undefined =>
  Array.isArray(row) ? (JSON.parse(String(row[0])) as JsonObject) : undefined

/** Short-term store with a way to close it. */
export interface SqliteShortTermStore extends ShortTermStore {
  close(): void
}

/** Opens a short-term store in a file. One process alone may use it. @throws {Error} for a file that is none of ours */
export const openShortTermStore = (path: string): SqliteShortTermStore => {
  const db = openFile(path, KIND, PRAGMAS)
  const statements = new Statements(db)
  const first = (text: string, ...values: (string | number | null)[]) => opened(statements.of(text).get(...values))
  const count = (text: string, ...values: (string | number | null)[]) =>
    Number(statements.of(text).run(...values).changes)
  const insert = (
    conflict: string,
    ...[{ kind, key }, { data, until, group, alias }]: Parameters<ShortTermStore['put']>
  ) => count(PUT + conflict, kind, key, alias ?? null, group ?? null, until, JSON.stringify(data))
  const get = ({ kind, key }: Parameters<ShortTermStore['get']>[0], now: number) =>
    first(`SELECT data FROM record WHERE kind = ? AND key = ? AND ${IS_THERE}`, kind, key, now)
  return {
    async put(where, record) {
      insert(REPLACE, where, record)
    },
    async putNew(where, record, now) {
      count('DELETE FROM record WHERE kind = ? AND key = ? AND until <= ?', where.kind, where.key, now)
      return insert(UNLESS_THERE, where, record) > 0 ? undefined : get(where, now)
    },
    get: async (where, now) => get(where, now),
    getByAlias: async ({ kind, key }, now) =>
      first(`SELECT data FROM record WHERE kind = ? AND alias = ? AND ${IS_THERE}`, kind, key, now),
    take: async ({ kind, key }, now) =>
      first(`DELETE FROM record WHERE kind = ? AND key = ? AND ${IS_THERE} RETURNING data`, kind, key, now),
    removeGroup: async (group) => count('DELETE FROM record WHERE of_group = ?', group),
    sweep: async (now, most) =>
      count(
        'DELETE FROM record WHERE (kind, key) IN (SELECT kind, key FROM record WHERE until <= ? ORDER BY until LIMIT ?)',
        now,
        most,
      ),
    close: () => db.close(),
  }
}
