import { existsSync, realpathSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUse, lock, release } from './lock.ts'
import { generationName, listLockFiles, lockDirectory } from './lock-files.ts'
import { checkDirectory, mark } from './marker.ts'

/** A data directory that this process, and no other, is using. */
export interface DataDirectory {
  /** Absolute, without symbolic links. */
  readonly path: string
  /** Listens on the control socket. Its connections are the caller's to serve. It does not keep the process alive. */
  readonly server: Server
  /** Gives the directory up. Connections of the server that are open stay so. */
  release(): Promise<void>
}

/**
 * Takes a data directory for this process, creating it where there is none.
 * @throws {Error} when another process is using it, or when it holds something else; nothing is changed then
 */
export async function claimDataDirectory(directory: string): Promise<DataDirectory> {
  checkDirectory(directory)
  const path = realpathSync(directory)
  const { server } = await lock(path)
  try {
    checkDirectory(path)
    mark(path)
  } catch (error) {
    await release(server)
    throw error
  }
  return { path, server, release: () => release(server) }
}

/** How long a process that is ending is waited for, and between two looks. */
const ENDING_MS = 10_000
const LOOK_EVERY_MS = 50

/**
 * The same, but waits a while for a process that is giving the directory up.
 * @param isEnding asks the process that has it, by its control socket
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
      await sleep(LOOK_EVERY_MS)
    }
  }
}

/** Path of the socket of the process that is using a data directory; it answers only while there is one. */
export function controlSocketOf(directory: string): string {
  if (!existsSync(directory)) return join(directory, generationName(1))
  const sockets = lockDirectory(directory)
  return join(sockets, generationName(listLockFiles(sockets).generations.at(-1) ?? 1))
}
