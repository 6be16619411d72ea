import { dirname } from 'node:path'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { CounterAt, Counters } from '../../domain/kernel/ports/counters.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { Database } from '../sqlite/binding.ts'
import { openReader } from '../sqlite/open.ts'
import { KeyHalves } from '../vault/key-halves.ts'
import type { KeyStore } from '../vault/key-store.ts'
import { isHeld } from './batch.ts'
import { storedCheckpoints } from './checkpoints.ts'
import { LOG_FILE } from './layout.ts'
import { LogReader, type Readable, readAll, readStream } from './reading.ts'
import { keyHalvesFile, logFile } from './store.ts'
import { StoredTasks } from './stored-tasks.ts'
import { SqliteKeys } from './vault-keys.ts'

/** Read access to a log that another process may be writing to. */
export interface ReadOnlyStore {
  readonly log: Pick<EventLog, 'readAll' | 'readStream' | 'at' | 'lastPosition' | 'claims'> & {
    readonly counters: Pick<Counters, 'all'>
  }
  readonly keys: Pick<KeyStore, 'get'>
  readonly checkpoints: Pick<Checkpoints, 'all'>
  readonly reactorStore: Pick<ReactorStore, 'pending' | 'deadLetters' | 'cursors' | 'reactions' | 'behind'>
  close(): Promise<void>
}

async function* counters(reader: LogReader): AsyncGenerator<CounterAt> {
  yield* reader.counters()
}

/** Opens the log of a directory for reading, with or without a running service. @throws {Error} when there is none, or the file is not ours */
export const openReadOnly = (
  directory: string,
): ReadOnlyStore & { readonly db: Database; readonly reader: LogReader } => {
  const path = logFile(directory)
  const db = openReader(path, LOG_FILE)
  const reader = new LogReader(db, path)
  const halves = new KeyHalves(keyHalvesFile(dirname(path)), { readOnly: true })
  const readable: Readable = { reader, head: () => reader.lastPosition(), mustBeOpen: () => undefined }
  return {
    db,
    reader,
    log: {
      readAll: (options) => readAll(readable, options),
      readStream: (stream, options) => readStream(readable, stream, options),
      at: async (position) => reader.at([position])[0],
      lastPosition: async () => reader.lastPosition(),
      counters: { all: () => counters(reader) },
      claims: () => reader.allClaims((claim) => isHeld(claim, Date.now())),
    },
    keys: new SqliteKeys(db, halves),
    checkpoints: { all: () => storedCheckpoints(db) },
    reactorStore: new StoredTasks(db),
    async close() {
      halves.close()
      db.close()
    },
  }
}
