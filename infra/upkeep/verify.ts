import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PERSONAL, personOf } from '../../domain/kernel/model/personal.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Config } from '../config.ts'
import { directoryImportNote } from '../data-directory/import-note.ts'
import { openReadOnly } from '../log-db/open-reader.ts'
import { LogReader } from '../log-db/reading.ts'
import { keyHalvesFile, logFile } from '../log-db/store.ts'
import { unfinishedErasures } from '../log-db/vault-keys.ts'
import { connect, type Database } from '../sqlite/binding.ts'
import { openHistory } from '../transfer/history.ts'
import { describeUnfinished } from '../transfer/import-note.ts'
import { KeyHalves } from '../vault/key-halves.ts'
import { readOnlyKeys } from '../vault/key-store.ts'
import { openVault } from '../vault/sealing-vault.ts'
import { refuseApart } from './log-apart.ts'

const CHUNK = 512
const PROGRESS_EVERY = 10_240

/** A fault, in a sentence that says where it is, or the progress of the check in events. */
export type Finding = { readonly finding: string } | { readonly checked: number; readonly of?: number }

type Places = Pick<Config, 'data'> & Partial<Pick<Config, 'eventStoreUrl' | 'mongoUrl'>>

/**
 * Checks everything of an installation that can be checked from here: the files of its data directory and, through the port, a log on EventStoreDB.
 * Changes nothing, and works beside a running service.
 *
 * @param secret the master secret; without it sealed data is not opened
 * @throws {Error} when the log is on a server that is not named
 */
export async function* verify(places: Places, secret: Uint8Array | undefined): AsyncGenerator<Finding> {
  if (places.eventStoreUrl) yield* verifyOnServer(places, secret)
  else yield* verifyDirectory(places.data, secret)
}

/** Checks a log on a server, and what is beside it: the server checks its own files. */
async function* verifyOnServer(places: Places, secret: Uint8Array | undefined): AsyncGenerator<Finding> {
  const history = await openHistory(places)
  try {
    const unfinished = await history.importNote.read()
    if (unfinished) yield { finding: describeUnfinished(unfinished) }
    if (!places.mongoUrl) yield* besideServer(places.data)
    yield* eventsOnServer(history.log, secret && (await openVault(readOnlyKeys(history.keys), secret)))
  } finally {
    await history.close()
  }
}

/** Checks the files of a data directory whose log is on a server: the keys, the reactor store and the documents. */
async function* besideServer(directory: string): AsyncGenerator<Finding> {
  const { db, close } = openReadOnly(directory)
  try {
    yield* pages(db, 'log.db')
    yield* erased(db, directory)
    yield* documentsIn(directory)
  } finally {
    await close()
  }
}

async function* eventsOnServer(log: Pick<EventLog, 'readAll'>, vault: Vault | undefined): AsyncGenerator<Finding> {
  const revisions = new Map<string, number>()
  let [checked, position] = [0, -1]
  for await (const event of log.readAll()) {
    const { stream, revision } = event
    const before = revisions.get(stream) ?? -1
    if (revision !== before + 1)
      yield { finding: `event ${event.position} of ${stream}: revision ${revision} follows ${before}` }
    if (event.position <= position) yield { finding: `event ${event.position} of ${stream}: it follows ${position}` }
    const fault = vault && (await sealFault(vault, event))
    if (fault) yield { finding: fault }
    revisions.set(stream, revision)
    position = event.position
    if (++checked % PROGRESS_EVERY === 0) yield { checked }
  }
  yield { checked }
}

/**
 * Checks everything in the files of a data directory: the pages of the databases, the checksum and the JSON of each event, positions and revisions
 * without gaps, whether sealed data can be opened, and whether the halves of destroyed keys are blank. Changes nothing, and works beside a running
 * service.
 */
async function* verifyDirectory(directory: string, secret: Uint8Array | undefined): AsyncGenerator<Finding> {
  const { db, keys, log, checkpoints, close } = openReadOnly(directory)
  try {
    await refuseApart({ log, checkpoints, directory })
    const unfinished = await directoryImportNote(directory).read()
    if (unfinished) yield { finding: describeUnfinished(unfinished) }
    yield* pages(db, 'log.db')
    yield* streams(db)
    const vault = secret && (await openVault(readOnlyKeys(keys), secret))
    yield* events(new LogReader(db, logFile(directory)), vault)
    yield* erased(db, directory)
    yield* documentsIn(directory)
  } finally {
    await close()
  }
}

/** A damaged row may end the check itself, if a column is computed from it. The check of the events then shows which row it is. */
function* pages(db: Database, name: string): Generator<Finding> {
  try {
    for (const row of db.prepare('PRAGMA integrity_check').iterate() as Iterable<{ integrity_check: string }>)
      if (row.integrity_check !== 'ok') yield { finding: `${name}: ${row.integrity_check}` }
  } catch (error) {
    yield { finding: `${name}: ${(error as Error).message}` }
  }
}

function* documentsIn(directory: string): Generator<Finding> {
  const views = join(directory, 'views.db')
  if (existsSync(views)) yield* viewPages(views)
}

/** The documents may be deleted at any time: they are rebuilt from the log. */
function* viewPages(path: string): Generator<Finding> {
  try {
    const db = connect(path, true)
    yield* pages(db, 'views.db (delete it, and it is built anew)')
    db.close()
  } catch (error) {
    yield { finding: `views.db cannot be read (${(error as Error).message}): delete it, and it is built anew` }
  }
}

function* streams(db: Database): Generator<Finding> {
  const gaps = db.prepare(
    'SELECT stream, count(*) AS events, min(revision) AS low, max(revision) AS high FROM event GROUP BY stream HAVING low <> 0 OR high <> events - 1',
  )
  for (const { stream, events, low, high } of gaps.iterate() as Iterable<Record<string, unknown>>)
    yield { finding: `stream ${stream}: ${events} events, but revisions from ${low} to ${high}` }
}

async function* events(reader: LogReader, vault: Vault | undefined): AsyncGenerator<Finding> {
  const last = reader.lastPosition()
  for (let from = 0; from <= last; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, last)
    for (const each of readable(reader, from, to)) {
      const fault = each instanceof Error ? each.message : vault && (await sealFault(vault, each))
      if (fault) yield { finding: fault }
    }
    if ((to + 1) % PROGRESS_EVERY === 0 || to === last) yield { checked: to + 1, of: last + 1 }
  }
}

/** Yields the events of a range; in place of one that cannot be read, the error. */
function* readable(reader: LogReader, from: number, to: number): Generator<RecordedEvent | Error> {
  for (let position = from; position <= to; ) {
    try {
      const events = reader.events(position, to, CHUNK)
      yield* events
      position += events.length
    } catch (error) {
      yield error as Error
      position++
    }
  }
}

const sealFault = async (vault: Vault, event: RecordedEvent): Promise<string | undefined> => {
  const { data, stream, position } = event
  const sealed = data[PERSONAL]
  if (typeof sealed !== 'string') return undefined
  try {
    await vault.open(personOf(event), sealed)
    return undefined
  } catch (error) {
    return `event ${position} of ${stream}: ${(error as Error).message}`
  }
}

function* erased(db: Database, directory: string): Generator<Finding> {
  const halves = new KeyHalves(keyHalvesFile(directory), { readOnly: true })
  for (const { subject, slot } of unfinishedErasures(db, halves))
    yield {
      finding: `the key of ${subject} is destroyed, but its half is still in slot ${slot}: the next start blanks it`,
    }
  halves.close()
}
