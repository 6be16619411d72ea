import path from 'node:path'
import { DeciderCommandHandler, getInMemoryEventStore } from '@event-driven-io/emmett'
import { getSQLiteEventStore } from '@event-driven-io/emmett-sqlite'
import { createContact, evolve, initialState } from './contact.mjs'
import { measure } from './pace.mjs'

/** Emmett with its store in memory or in SQLite, a command at a time. Takes a directory, `memory` or `sqlite`, and seconds. */
const [, , directory, kind, seconds] = process.argv
const store =
  kind === 'memory' ? getInMemoryEventStore() : getSQLiteEventStore({ fileName: path.join(directory, 'events.db') })
const handle = DeciderCommandHandler({ decide: (n, state) => createContact(state, n), evolve, initialState })

let n = 0
await measure(() => handle(store, `contact-${++n}`, n), 1, Number(seconds))
