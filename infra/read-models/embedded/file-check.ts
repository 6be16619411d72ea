import { type FileHandle, open } from 'node:fs/promises'

/** Where things are in an LMDB meta page on 64-bit little-endian machines. */
const AT = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, end: 160 } as const
const MAGIC = 0xbeefc0de
const VERSION = 2
/** LMDB may leave free pages at the end of its file unwritten; a copy that broke off misses far more. */
const UNWRITTEN_PAGES = 64

/** Looks at a data file before LMDB does, which ends the process over one that is cut short. @throws {Error} saying what is wrong. */
export async function checkDataFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const first = await meta(file, 0)
    const known = first?.readUInt32LE(AT.magic) === MAGIC && (first.readUInt32LE(AT.version) & 0xffff) === VERSION
    if (!known) throw new Error('its data file is not one of LMDB')
    const pageSize = first.readUInt32LE(AT.pageSize)
    // Half-way into the first page lies the meta of the last commit that is known to be on disk.
    const synced = await meta(file, pageSize / 2)
    if (!synced || synced.readBigUInt64LE(AT.transaction) === 0n) return
    const needed = (Number(synced.readBigUInt64LE(AT.lastPage)) + 1 - UNWRITTEN_PAGES) * pageSize
    if ((await file.stat()).size < needed) throw new Error('its data file is cut short')
  } finally {
    await file.close()
  }
}

async function meta(file: FileHandle, offset: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(AT.end), 0, AT.end, offset)
  return bytesRead === AT.end ? buffer : undefined
}
