import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const TIGHT_BYTES = 256 << 20

/** Bytes of the write-ahead log beside a file; 0 where there is none. */
export const writeAheadBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0

/**
 * Whether the disk of a file has little room left. Write-ahead logs are kept short then: they could take the room that it needs to move what is
 * in them into their files, and that would be for good.
 */
export const isTight = (file: string): boolean => {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize < TIGHT_BYTES
}
