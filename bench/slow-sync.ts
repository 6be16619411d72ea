import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { sourceFile } from './places.ts'

export const SYNC_DELAY_MS = 8

const COMPILING_MS = 60_000

/** The environment of a process with a slow disk, or the reason why there is none. */
export type SlowSync = { readonly env: Readonly<Record<string, string>> } | { readonly missing: string }

/** Compiles, into this directory, the library that delays each `fsync` and `fdatasync` of a process. */
export const slowSync = async (directory: string): Promise<SlowSync> => {
  if (process.platform !== 'linux') return { missing: 'syncs can be delayed only on Linux, by LD_PRELOAD' }
  const library = path.resolve(directory, 'slow-sync.so')
  try {
    const args = ['-shared', '-fPIC', '-O2', '-o', library, sourceFile('slow-sync.c'), '-ldl']
    await promisify(execFile)('cc', args, { timeout: COMPILING_MS })
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { missing: absent ? 'there is no C compiler (cc)' : `cc failed: ${String(error)}` }
  }
  return { env: { LD_PRELOAD: library, SLOW_SYNC_MS: String(SYNC_DELAY_MS) } }
}
