import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const TIGHT_BYTES = 256 << 20

/** Returns the size of the write-ahead log beside a file, in bytes; 0 where there is none. */
export const writeAheadBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0

/**
 * Whether the disk of a file has little space left. Write-ahead logs are then kept short. They could take the space that is needed to move their
 * content into their files, and then that space could never be freed.
 */
export const isTight = (file: string): boolean => {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize < TIGHT_BYTES
}
