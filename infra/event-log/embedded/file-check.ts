import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const DATA_FILE = 'data.mdb'

const LOCK_FILE = 'lock.mdb'

/** Offsets inside an LMDB meta page, which are the same on all 64-bit little-endian machines. */
const MAGIC_AT = 24
const VERSION_AT = 28
const PAGE_SIZE_AT = 48
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
const META_BYTES = 160
const MAGIC = 0xbeefc0de
const VERSION = 2

/** LMDB may leave free pages at the end of its file unwritten; a copy that broke off misses far more. */
const UNWRITTEN_PAGES = 64

/**
 * Looks at the directory of a log before LMDB does: given a file that is none of its own or cut short, LMDB ends the process,
 * and given none it quietly starts an empty log.
 * @returns whether the directory holds a log file yet
 * @throws {Error} that names the path and the remedy
 */
export function checkLogFile(directory: string): boolean {
  const path = join(directory, DATA_FILE)
  if (!existsSync(path)) {
    const others = existsSync(directory) ? readdirSync(directory) : []
    if (others.length === 0) return false
    throw new Error(
      `${directory} holds ${others.slice(0, 3).join(', ')} but no ${DATA_FILE}, so it is not an event log or has lost its ` +
        'file. Restore the directory from a backup, or give an empty directory to start a new log.',
    )
  }
  for (const each of [path, join(directory, LOCK_FILE)]) {
    if (statSync(each, { throwIfNoEntry: false })?.isFile() === false) throw damaged(each, 'is not a file')
  }
  return checkContent(path)
}

function checkContent(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    if (size === 0) return false
    const header = meta(file, 0)
    if (header?.readUInt32LE(MAGIC_AT) !== MAGIC || (header.readUInt32LE(VERSION_AT) & 0xffff) !== VERSION) {
      throw damaged(path, 'is not an event log, or damaged')
    }
    const needed = bytesNeeded(file, header)
    if (size < needed) throw damaged(path, `is cut short: ${size} bytes where at least ${needed} belong`)
    return true
  } finally {
    closeSync(file)
  }
}

function bytesNeeded(file: number, header: Buffer): number {
  const pageSize = header.readUInt32LE(PAGE_SIZE_AT)
  // Page 0 holds the meta of every other commit and, half-way, that of the last commit known to be on disk; page 1 the rest.
  const [even, synced, odd] = [0, pageSize / 2, pageSize].map((offset) => lastPage(meta(file, offset)))
  const last = synced ?? Math.min(even ?? 0, odd ?? 0)
  return (last + 1 - UNWRITTEN_PAGES) * pageSize
}

function lastPage(meta: Buffer | undefined): number | undefined {
  return meta && meta.readBigUInt64LE(TRANSACTION_AT) > 0n ? Number(meta.readBigUInt64LE(LAST_PAGE_AT)) : undefined
}

function meta(file: number, offset: number): Buffer | undefined {
  const bytes = Buffer.alloc(META_BYTES)
  return readSync(file, bytes, 0, META_BYTES, offset) === META_BYTES ? bytes : undefined
}

function damaged(path: string, what: string): Error {
  return new Error(
    `${path} ${what}. Nothing was changed. Restore the directory from a backup, or give another data directory.`,
  )
}
