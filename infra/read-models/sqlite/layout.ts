import type { Fingerprints } from '../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../sqlite/binding.ts'
import { type FileKind, openFile } from '../../sqlite/open.ts'

/** The tables of the first version, beside those of the collections. Comments stay in the file, for whoever opens it with a tool of theirs. */
const FIRST = `
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

const VIEWS: FileKind = { name: 'file of read models', steps: [(db) => db.exec(FIRST)] }

/**
 * The beginning of the file is read through a map, the rest through a cache. To map all of it makes reads from all over a million records faster by
 * half, and the process takes as much memory as the file: 1.7 GB there.
 */
const READING =
  'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0x4000000; PRAGMA cache_size = -16000;'
const LIVE = `${READING} PRAGMA synchronous = NORMAL;`

/** How a connection uses the file: `keeping`, `loading` and `building` lose it with the machine, until it is complete. */
export type Use = 'reading' | 'writing' | 'keeping' | 'loading' | 'building'

const PRAGMAS: Readonly<Record<Use, string>> = {
  reading: LIVE,
  writing: LIVE,
  // Nobody else has it yet. Only of this file: another one is attached, which must stay as it is.
  keeping: 'PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF; PRAGMA main.cache_size = -64000;',
  loading: 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64000; PRAGMA threads = 2;',
  building: `${READING} PRAGMA synchronous = OFF; PRAGMA cache_size = -64000;`,
}

/** Opens a file of read models, or makes an empty one. @throws {Error} when it is something else, damaged, or of a newer version */
export const openViews = (file: string, use: Use): Database => openFile(file, VIEWS, PRAGMAS[use])

/** What a file of read models says of itself. */
export interface Meta {
  /** By the versions that knew only one, of all collections together. */
  readonly fingerprint?: string
  /** By collection, as JSON. */
  readonly fingerprints?: string
  readonly log?: string
  readonly checkpoint?: number
  /** Until then it is in the making. */
  readonly complete?: 1
}

/** Everything that the file says of itself. */
export const readMeta = (db: Database): Meta => {
  const rows: { name: string; value: string | number }[] = db.prepare('SELECT name, value FROM meta').all()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** What it was built from, as far as that is known. */
export const fingerprintsIn = ({ fingerprint, fingerprints }: Meta): Fingerprints =>
  new Map(fingerprint === undefined && fingerprints !== undefined ? JSON.parse(fingerprints) : [])

/** That it was built from these. */
export const builtFrom = (fingerprints: Fingerprints): Meta => ({ fingerprints: JSON.stringify([...fingerprints]) })

/** Notes some of it; belongs into a transaction. */
export const writeMeta = (db: Database, meta: Meta): void => {
  const statement = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  for (const [name, value] of Object.entries(meta)) if (value !== undefined) statement.run(name, value)
}
