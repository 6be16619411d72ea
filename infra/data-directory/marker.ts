import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isLockFile } from './lock-files.ts'

const MARKER = 'millrace.json'
const PRODUCT = 'millrace'
/** Version of the layout of a data directory. */
const FORMAT = 2
/** Format of versions up to 0.1, whose stores were in LMDB. */
const BEFORE_SQLITE = 1

/**
 * Checks that a directory may be used. Creates it where there is none (readable for its owner only).
 * @throws {Error} when it holds anything other than a data directory of this format; nothing is changed then
 */
export function checkDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (existsSync(join(path, MARKER))) {
    checkMarker(join(path, MARKER))
    return
  }
  const foreign = readdirSync(path).filter((name) => !isOurs(name))
  if (foreign.length === 0) return
  throw new Error(
    `${path} is not empty and not a data directory of Millrace (it holds ${foreign.slice(0, 3).join(', ')}` +
      `${foreign.length > 3 ? ', …' : ''} but no ${MARKER}). Nothing was changed. Give an empty or a new directory.`,
  )
}

/** Whether nothing has been kept in a directory yet: there is none, or it holds at most what is put there before the first start. */
export function isUnused(path: string): boolean {
  if (!existsSync(path)) return true
  const names = readdirSync(path)
  return !names.includes(MARKER) && names.every(isOurs)
}

/** Marks a directory that `checkDirectory` has accepted as ours. An earlier mark stays. */
export function mark(path: string): void {
  const marker = join(path, MARKER)
  if (existsSync(marker)) return
  const draft = `${marker}.${process.pid}`
  const content = { product: PRODUCT, format: FORMAT, created: new Date().toISOString() }
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, marker)
  } finally {
    rmSync(draft)
  }
}

/** Copies the mark of a directory to a copy of that directory. */
export function copyMarker(from: string, to: string): void {
  copyFileSync(join(from, MARKER), join(to, MARKER))
}

function isOurs(name: string): boolean {
  // A secret is put there before an import of data that was sealed under it. Blobs are there if everything else was on servers.
  return isLockFile(name) || name.startsWith(`${MARKER}.`) || ['secret', 'blobs', 'lost+found'].includes(name)
}

function checkMarker(marker: string): void {
  const { product, format } = read(marker)
  if (product !== PRODUCT || typeof format !== 'number') {
    throw new Error(
      `${marker} is not that of a Millrace data directory. Restore it from a backup, or give another directory.`,
    )
  }
  if (format === BEFORE_SQLITE) {
    throw new Error(
      `The data directory of ${marker} was made by Millrace 0.1, which kept its log in another format. With that version, run ` +
        '`millrace events export --archive all.ndjson`; then, with this one, an empty data directory and the same master secret ' +
        '(its file `secret`, or MILLRACE_SECRET), run `millrace events import all.ndjson`. Nothing was changed.',
    )
  }
  if (format !== FORMAT) {
    throw new Error(
      `The data directory of ${marker} has format ${format}; this version of Millrace reads format ${FORMAT}. ` +
        'Run the version of Millrace that wrote it.',
    )
  }
}

function read(marker: string): { product?: unknown; format?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(marker, 'utf8')))
  } catch (cause) {
    throw new Error(`${marker} cannot be read. Restore it from a backup, or give another data directory.`, { cause })
  }
}
