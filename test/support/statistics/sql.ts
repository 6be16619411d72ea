import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { Asked } from '../../../domain/statistics/totals.ts'
import { connect } from '../../../infra/sqlite/binding.ts'

type Database = ReturnType<typeof connect>

/** Row of the answer of the query in docs/history.md. */
export interface SqlStep {
  readonly step: number
  readonly views: number
  readonly sessions: number
  readonly optins: number
  readonly orders: number
  readonly paid: number
}

const HISTORY = path.join(import.meta.dirname, '../../../../docs/history.md')

/** Returns the query about a funnel that docs/history.md shows, for another question. */
const queryFor = ({ funnelId, live, window, recordedUntil }: Omit<Asked, 'stepIds'>): string => {
  const [, query] = /## What a funnel did[\s\S]*?```sql\n([\s\S]*?)```/.exec(readFileSync(HISTORY, 'utf8')) ?? []
  const iso = (time: number) => `'${new Date(time).toISOString()}'`
  const values = [funnelId, Number(live), iso(window.from), iso(window.to), iso(recordedUntil ?? Date.UTC(9999, 0))]
  return query!.replace(/VALUES \([^)]*\)/, `VALUES (${values.join(', ')})`)
}

/** Asks a log the question of docs/history.md. */
export const askLog = (db: Database, asked: Omit<Asked, 'stepIds'>): readonly SqlStep[] =>
  db.prepare(queryFor(asked)).all() as unknown as readonly SqlStep[]

/** Creates a file with the table of the log. */
export const emptyLog = (file: string): Database => {
  const db = connect(file)
  db.exec(
    'CREATE TABLE event (position INTEGER PRIMARY KEY, id, stream, revision, type, data, metadata, time); ' +
      'CREATE UNIQUE INDEX event_stream ON event (stream, revision)',
  )
  return db
}

/** Adds events to such a table. */
export const addToLog = (db: Database, events: readonly RecordedEvent[]): void => {
  const insert = db.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  db.exec('BEGIN')
  for (const { position, id, stream, revision, type, data, metadata } of events)
    insert.run(position, id, stream, revision, type, JSON.stringify(data), JSON.stringify(metadata), metadata.at)
  db.exec('COMMIT')
}
