import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BLOCK = 4096

/** A separate disk in memory that can be filled up. */
export interface SmallDisk {
  readonly path: string
  /** Fills the disk completely. */
  fill(): void
  /** Frees some of the space that `fill` took. */
  leave(bytes: number): void
  /** Frees all of the space that `fill` took. */
  clear(): void
  unmount(): void
}

/** Mounts a small disk, which needs root. @returns it, or the reason why there is none */
export const mountSmallDisk = (megabytes: number): SmallDisk | string => {
  const path = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { encoding: 'utf8' })
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true })
    return `no disk can be mounted here: ${mounted.error?.message ?? mounted.stderr.trim()}`
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => fill(ballast),
    leave(bytes) {
      const file = openSync(ballast, 'r+')
      ftruncateSync(file, Math.max(0, statSync(ballast).size - bytes))
      closeSync(file)
    },
    clear: () => rmSync(ballast, { force: true }),
    unmount() {
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

const fill = (ballast: string): void => {
  const file = openSync(ballast, 'a')
  try {
    for (let size = 256 * BLOCK; size >= BLOCK; ) if (!written(file, size)) size = Math.floor(size / 2)
  } finally {
    closeSync(file)
  }
}

/** Writes zeros. @returns whether all were written */
const written = (file: number, size: number): boolean => {
  try {
    return writeSync(file, Buffer.alloc(size, 1)) === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
