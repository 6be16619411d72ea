import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

export const DATA_FILE = 'data.mdb'

/** Offsets inside an LMDB meta page (64-bit, little-endian). */
const MAGIC_AT = 24
const PAGE_SIZE_AT = 48
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
const MAGIC = 0xbeefc0de

/** LMDB may leave free pages at the end of its file unwritten; a copy that broke off misses far more. */
const UNWRITTEN_PAGES = 64

/**
 * Looks at the directory of a log before LMDB maps its file: a shortened file would end the process at the first read
 * behind its end, and a directory without the file would quietly start an empty log.
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
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    const needed = bytesNeeded(file)
    if (size < needed) {
      throw new Error(
        `The event log ${path} is cut short: ${size} bytes where at least ${needed} belong. ` +
          'Nothing was changed. Restore the file from a backup.',
      )
    }
    return size > 0
  } finally {
    closeSync(file)
  }
}

function bytesNeeded(file: number): number {
  const header = Buffer.alloc(MAGIC_AT + TRANSACTION_AT)
  if (readSync(file, header, 0, header.length, 0) < header.length || header.readUInt32LE(MAGIC_AT) !== MAGIC) return 0
  const pageSize = header.readUInt32LE(PAGE_SIZE_AT)
  // Page 0 holds the meta of every other commit and, half-way, that of the last commit known to be on disk; page 1 the rest.
  const [even, synced, odd] = [0, pageSize / 2, pageSize].map((offset) => lastPage(file, offset, header))
  const last = synced ?? Math.min(even ?? 0, odd ?? 0)
  return (last + 1 - UNWRITTEN_PAGES) * pageSize
}

function lastPage(file: number, offset: number, buffer: Buffer): number | undefined {
  const read = readSync(file, buffer, 0, buffer.length, offset)
  const written = read === buffer.length && buffer.readBigUInt64LE(TRANSACTION_AT) > 0n
  return written ? Number(buffer.readBigUInt64LE(LAST_PAGE_AT)) : undefined
}
