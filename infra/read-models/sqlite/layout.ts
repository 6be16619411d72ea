import type { Fingerprints } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { type FileKind, openFile } from '../../sqlite/open.ts'

/** Tables of the first version, beside those of the collections. SQLite keeps the comments in the file, for people who open it. */
const FIRST_SCHEMA = `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY, -- fingerprint, log: what it was built from; checkpoint: position of the last event in it; complete
    value ANY NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE collection (
    name TEXT PRIMARY KEY, -- also the name of a view of its documents
    generation INTEGER NOT NULL UNIQUE, -- its table is name#generation; a table that no row names is on its way out
    ids TEXT NOT NULL, -- integer, or any
    indexes TEXT NOT NULL -- JSON: the declared ones that are maintained, and whether any document ever held an array there
  ) STRICT, WITHOUT ROWID;
`

const VIEWS: FileKind = { name: 'file of read models', steps: [(db) => db.exec(FIRST_SCHEMA)] }

/**
 * Reads the first 64 MB of the file through a memory map, and the rest through a cache. Mapping all of it makes reads spread over a
 * million records faster by half, but the process then takes as much memory as the file: 1.7 GB in that case.
 */
const READ_PRAGMAS =
  'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0x4000000; PRAGMA cache_size = -16000;'
const LIVE_PRAGMAS = `${READ_PRAGMAS} PRAGMA synchronous = NORMAL;`

/** Use of the file by a connection. With `keeping`, `loading` and `building`, a crash of the machine loses a file that is not complete. */
export type ConnectionUse = 'reading' | 'writing' | 'keeping' | 'loading' | 'building'

const PRAGMAS: Readonly<Record<ConnectionUse, string>> = {
  reading: LIVE_PRAGMAS,
  writing: LIVE_PRAGMAS,
  // No other connection has this file open yet. `main.` leaves out the attached file, which must keep its settings.
  keeping: 'PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF; PRAGMA main.cache_size = -64000;',
  loading: 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64000; PRAGMA threads = 2;',
  building: `${READ_PRAGMAS} PRAGMA synchronous = OFF; PRAGMA cache_size = -64000;`,
}

/** Opens a file of read models, or creates an empty one. @throws {Error} when it is another kind of file, damaged, or of a newer version */
export const openViews = (file: string, use: ConnectionUse): Database => openFile(file, VIEWS, PRAGMAS[use])

/** Metadata in a file of read models. */
export interface Meta {
  /** Single fingerprint of all collections, as old versions wrote it. */
  readonly fingerprint?: string
  /** Fingerprints by collection, as JSON. */
  readonly fingerprints?: string
  readonly log?: string
  readonly checkpoint?: number
  /** Missing while the file is being built. */
  readonly complete?: 1
}

/** Reads the metadata of a file. */
export const readMeta = (db: Database): Meta => {
  const rows: { name: string; value: string | number }[] = db.prepare('SELECT name, value FROM meta').all()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Returns the fingerprints that a file was built from. Empty where they are not known. */
export const fingerprintsIn = ({ fingerprint, fingerprints }: Meta): Fingerprints =>
  new Map(fingerprint === undefined && fingerprints !== undefined ? JSON.parse(fingerprints) : [])

/** Returns the metadata that records these fingerprints. */
export const builtFrom = (fingerprints: Fingerprints): Meta => ({ fingerprints: JSON.stringify([...fingerprints]) })

/** Writes the given metadata. Call it within a transaction. */
export const writeMeta = (db: Database, meta: Meta): void => {
  const statement = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  for (const [name, value] of Object.entries(meta)) if (value !== undefined) statement.run(name, value)
}
