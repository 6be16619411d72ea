import { randomUUID } from 'node:crypto'
import path from 'node:path'
import Database from 'better-sqlite3'
import { createContact, evolve, initialState } from './contact.mjs'
import { measure } from './pace.mjs'

/**
 * An event table as one would write it by hand: one transaction a command, which loads the stream, decides, takes the claim
 * on the address and inserts the events; on disk when it returns. Takes a directory, how many in flight, and seconds.
 */
const [, , directory, inFlight, seconds] = process.argv
const db = new Database(path.join(directory, 'events.db'))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  );
  CREATE TABLE claims (key TEXT PRIMARY KEY, stream TEXT NOT NULL) WITHOUT ROWID;
`)
const load = db.prepare('SELECT revision, type, data FROM events WHERE stream = ? ORDER BY revision')
const insert = db.prepare('INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)')
const claim = db.prepare('INSERT INTO claims (key, stream) VALUES (?, ?)')

const transact = db.transaction((stream, n) => {
  let state = initialState()
  let revision = -1
  for (const row of load.iterate(stream)) {
    state = evolve(state, { type: row.type, data: JSON.parse(row.data) })
    revision = row.revision
  }
  for (const { type, data, metadata } of createContact(state, n)) {
    if (data.personal) claim.run(`contact.email:1:${data.personal.email_address}`, stream)
    insert.run(stream, ++revision, randomUUID(), type, JSON.stringify(data), JSON.stringify(metadata))
  }
})

let n = 0
await measure(async () => transact.immediate(`contact-${++n}`, n), Number(inFlight), Number(seconds))
db.close()
