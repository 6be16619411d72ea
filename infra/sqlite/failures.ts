import { refuse } from '../../domain/kernel/values/refusal.ts'

/** Kind of a storage error; `sync`: a flush failed, and the data that it covered is in doubt. */
export type Trouble = 'full' | 'busy' | 'damaged' | 'sync' | 'storage'

const FULL = 13
const IO_ERROR = 10
const BUSY = [5, 6]
const DAMAGED = [11, 26]
/** Out of memory, read-only, cannot be opened, locking failed. */
const STORAGE = [7, 8, 14, 15, IO_ERROR]

const extended = (code: number): number => IO_ERROR | (code << 8)
const WRITE = extended(3)
const SYNC = [extended(4), extended(5)]
const SHARED_MEMORY_SIZE = extended(19)

const PRIMARY = 0xff
const NO_ROOM = ['ENOSPC', 'EFBIG', 'EDQUOT']

/** Messages of SQLite. The package's statements that return all rows at once throw errors without a code. */
const BY_MESSAGE: Readonly<Record<string, Trouble>> = {
  'database disk image is malformed': 'damaged',
  'file is not a database': 'damaged',
  'database is locked': 'busy',
  'disk I/O error': 'storage',
}

/** Returns the kind of storage trouble that an error reports; `undefined` for any other error. */
export const troubleOf = (error: unknown): Trouble | undefined => {
  const { errcode, code } = Object(error) as { readonly errcode?: unknown; readonly code?: unknown }
  if (typeof code === 'string' && NO_ROOM.includes(code)) return 'full'
  if (typeof errcode !== 'number') return code === 'ERR_SQLITE_ERROR' ? BY_MESSAGE[(error as Error).message] : undefined
  if (SYNC.includes(errcode)) return 'sync'
  // A file that cannot grow is reported as a failed write, and the index of the write-ahead log with a code of its own.
  if (errcode === FULL || errcode === WRITE || errcode === SHARED_MEMORY_SIZE) return 'full'
  const primary = errcode & PRIMARY
  if (BUSY.includes(primary)) return 'busy'
  if (DAMAGED.includes(primary)) return 'damaged'
  return STORAGE.includes(primary) ? 'storage' : undefined
}

const REMEDIES: Readonly<Record<Trouble, string>> = {
  full: 'there is no room. Nothing of this was kept. Make room on the disk.',
  busy: 'another program holds it locked. Nothing of this was kept. End that program.',
  damaged: 'it is damaged. Stop the service, see what `millrace verify` says, and restore it from a backup.',
  sync: 'a flush to the disk failed. It is not known whether this was kept, and nothing more is taken. Check the disk, then restart.',
  storage: 'the disk refused it. Nothing of this was kept. Check the disk and the rights of the file.',
}

/** The storage cannot write or read. The service continues, and clients are asked to retry. */
export class StorageUnavailable extends Error {
  readonly trouble: Trouble
  readonly refusal = refuse.unavailable('the storage cannot take this for the moment; nothing was changed', 5)

  /**
   * @param what beginning of the message, such as "The event log /data/log.db could not be written"
   * @param remedy advice to the operator, where that for the log does not apply
   */
  constructor(what: string, trouble: Trouble, cause: unknown, remedy: string = REMEDIES[trouble]) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${what} (${reason}): ${remedy}`, { cause })
    this.trouble = trouble
  }
}

/** Returns an error of the storage as `StorageUnavailable`, and any other error unchanged. */
export const asUnavailable = (what: string, error: unknown): unknown => {
  const trouble = error instanceof StorageUnavailable ? undefined : troubleOf(error)
  return trouble ? new StorageUnavailable(what, trouble, error) : error
}
