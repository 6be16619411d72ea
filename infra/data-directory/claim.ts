import { existsSync, realpathSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeToOthers } from '../owner-only.ts'
import { DirectoryInUse, lock, release } from './lock.ts'
import { generationName, listLockFiles, lockDirectory } from './lock-files.ts'
import { checkDirectory, mark } from './marker.ts'

/** Data directory that only this process is using. */
export interface DataDirectory {
  /** Absolute, without symbolic links. */
  readonly path: string
  /** Listens on the control socket. The caller serves its connections. It does not keep the process alive. */
  readonly server: Server
  /** Gives the directory up. Open connections of the server stay open. */
  release(): Promise<void>
}

/**
 * Takes a data directory for this process, creating it where there is none. Closes it to all other users.
 * @throws {Error} when another process is using it, or when it holds other data; nothing is changed then
 */
export async function claimDataDirectory(directory: string): Promise<DataDirectory> {
  checkDirectory(directory)
  const path = realpathSync(directory)
  const { server } = await lock(path)
  try {
    checkDirectory(path)
    mark(path)
    closeToOthers(path)
  } catch (error) {
    await release(server)
    throw error
  }
  return { path, server, release: () => release(server) }
}

/** Longest wait for a process that is ending, and interval between two attempts. */
const ENDING_MS = 10_000
const RETRY_EVERY_MS = 50

/**
 * Takes a data directory as `claimDataDirectory` does, but waits a while for a process that is giving it up.
 * @param isEnding asks the process that is using it, over its control socket
 */
export async function claimWhenLeft(
  directory: string,
  isEnding: (socket: string) => Promise<boolean>,
): Promise<DataDirectory> {
  const giveUpAt = performance.now() + ENDING_MS
  for (;;) {
    try {
      return await claimDataDirectory(directory)
    } catch (error) {
      if (!(error instanceof DirectoryInUse) || performance.now() > giveUpAt) throw error
      if (!(await isEnding(controlSocketOf(directory)))) throw error
      await sleep(RETRY_EVERY_MS)
    }
  }
}

/** Returns the path of the socket of the process that is using a data directory. Without such a process, nothing answers there. */
export function controlSocketOf(directory: string): string {
  if (!existsSync(directory)) return join(directory, generationName(1))
  const sockets = lockDirectory(directory)
  return join(sockets, generationName(listLockFiles(sockets).generations.at(-1) ?? 1))
}
