import { linkSync, lstatSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { giveToOwnerOf, listenForOwner } from '../owner-only.ts'
import {
  generationName,
  type LockFiles,
  listLockFiles,
  lockDirectory,
  ownName,
  ownNameOf,
  pidOf,
} from './lock-files.ts'

const ATTEMPTS = 50
const PROBE_MS = 2000

/**
 * Takes the lock of a data directory, which lasts as long as this process. A listening socket answers only while its process lives, so nothing has
 * to be cleaned up after a crash.
 *
 * The highest generation is never removed, and a dead socket never becomes alive again. A process that adds the generation above a dead highest one,
 * and still sees none above its own, is therefore the only owner: a second owner would have had to find the first one dead.
 * @returns the server that listens on the lock's socket, and the socket's path
 * @throws {Error} when a living process holds the lock
 */
export async function lock(dataDirectory: string): Promise<{ server: Server; socket: string }> {
  const directory = lockDirectory(dataDirectory)
  const own = join(directory, ownName())
  const server = await listen(own)
  try {
    // Nobody else can tell whether a socket of root is dead, and root's commands leave theirs behind.
    giveToOwnerOf(dataDirectory, own)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const files = listLockFiles(directory)
      const highest = files.generations.at(-1) ?? 0
      const answer = highest > 0 && (await answers(join(directory, generationName(highest))))
      if (answer === 'denied') throw denial(join(directory, generationName(highest)))
      if (answer) throw refusal(dataDirectory, files, highest)
      if (!claim(own, directory, highest + 1)) continue
      await removeOlder(directory, highest + 1)
      return { server, socket: join(directory, generationName(highest + 1)) }
    }
    throw new Error(`${dataDirectory} is being taken and left by other processes all the time. Try again.`)
  } catch (error) {
    await release(server)
    throw error
  }
}

/** Stops listening, and thereby gives up the lock. Open connections stay open. */
export async function release(server: Server): Promise<void> {
  server.close()
  await new Promise(setImmediate)
}

function listen(path: string): Promise<Server> {
  const server = createServer()
  // Other processes connect to see whether this one lives. At first, nothing else handles the errors of their connections.
  server.on('connection', (connection) => connection.on('error', () => connection.destroy()))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    listenForOwner(server, path, () => {
      server.removeListener('error', reject)
      server.unref()
      resolve(server)
    })
  })
}

function claim(own: string, directory: string, generation: number): boolean {
  const path = join(directory, generationName(generation))
  try {
    linkSync(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  // A slow process may have added a generation that others have passed and removed long ago.
  if (listLockFiles(directory).generations.at(-1) === generation) return true
  rmSync(path, { force: true })
  return false
}

/** Removes the sockets of earlier owners, but not the own name of a slow process that has yet to find that it is too late. */
async function removeOlder(directory: string, generation: number): Promise<void> {
  const files = listLockFiles(directory)
  for (const older of files.generations.filter((each) => each < generation)) {
    const own = ownNameOf(files, older)
    rmSync(join(directory, generationName(older)), { force: true })
    if (own && (await answers(join(directory, own))) === false) rmSync(join(directory, own), { force: true })
  }
}

/** Whether a living process listens on a socket, if this user may ask. Anything but a clear no counts as yes. */
function answers(socket: string): Promise<boolean | 'denied'> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    const done = (answer: boolean | 'denied') => {
      connection.destroy()
      resolve(answer)
    }
    connection.setTimeout(PROBE_MS, () => done(true))
    connection.once('connect', () => done(true))
    connection.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'EACCES' ? 'denied' : !['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')),
    )
  })
}

/** Another process is using the directory. */
export class DirectoryInUse extends Error {}

function refusal(dataDirectory: string, files: LockFiles, generation: number): DirectoryInUse {
  const pid = pidOf(ownNameOf(files, generation))
  return new DirectoryInUse(
    `Another millrace process${pid ? ` (pid ${pid})` : ''} is using ${dataDirectory}. ` +
      'Stop it first, or give this one another data directory.',
  )
}

function denial(socket: string): Error {
  const owner = lstatSync(socket, { throwIfNoEntry: false })?.uid
  return new Error(
    `${socket} belongs to another user (uid ${owner ?? 'unknown'}), so it cannot be seen whether its process still runs. ` +
      'If no other millrace process is running on this data directory, remove that file and start again.',
  )
}
