import { chmodSync, fchmodSync, fstatSync, lchownSync, openSync, readdirSync, statSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'

/** Permissions of everyone but the owner. */
const OTHERS = 0o077

/** Takes the permissions of everyone but the owner from a file or directory. One that belongs to another user stays as it is. */
const narrow = (path: string): void => {
  try {
    const { mode, uid } = statSync(path)
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o700)
  } catch (error) {
    // Removed meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Closes a directory, and what is directly in it, to everyone but their owner. Directories of earlier versions, and copies that
 * an operator has restored, may be open to others.
 */
export const closeToOthers = (directory: string): void => {
  narrow(directory)
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) narrow(join(directory, entry.name))
}

/** Creates or empties a file that only its owner can read. Returns its descriptor. */
export const openForOwner = (path: string): number => {
  const file = openSync(path, 'w', 0o600)
  // The mode above is only that of a new file. Devices and pipes keep theirs.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
  return file
}

/** Listens on a socket to which only its owner can connect, from the first moment on. Not for worker threads. */
export const listenForOwner = (server: Server, path: string, listening: () => void): void => {
  // `listen` binds a path before it returns, and a socket gets its mode when it is bound.
  const before = process.umask(0o177)
  try {
    server.listen(path, listening)
  } finally {
    process.umask(before)
  }
}

/** Gives what root has just created to the owner of a directory. Any other user keeps what it creates. */
export const giveToOwnerOf = (directory: string, created: string): void => {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(directory)
  lchownSync(created, uid, gid)
}
