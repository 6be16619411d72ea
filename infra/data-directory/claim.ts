import { existsSync, realpathSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { lock, release } from './lock.ts'
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

/** Path of the socket of the process that is using a data directory; it answers only while there is one. */
export function controlSocketOf(directory: string): string {
  if (!existsSync(directory)) return join(directory, generationName(1))
  const sockets = lockDirectory(directory)
  return join(sockets, generationName(listLockFiles(sockets).generations.at(-1) ?? 1))
}
