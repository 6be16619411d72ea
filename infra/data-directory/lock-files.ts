import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveToOwnerOf } from '../owner-only.ts'

/** The path of a unix socket has at most 103 bytes on macOS, 107 on Linux. */
const LONGEST_SOCKET_PATH = 100

const GENERATION = /^control\.(\d+)\.sock$/
const OWN = /^control\.pid-(\d+)\.[\w-]+$/
const LONGEST_NAME = ownName().length + 4

/** Each generation of the lock has its own socket, `control.<generation>.sock`; the highest one counts. */
export interface LockFiles {
  readonly directory: string
  /** In ascending order. */
  readonly generations: readonly number[]
  /** Names that processes have bound before one of them became a generation. */
  readonly own: readonly string[]
}

export function isLockFile(name: string): boolean {
  return GENERATION.test(name) || OWN.test(name)
}

/** Returns a name for the socket of this process, which contains its pid. */
export function ownName(): string {
  return `control.pid-${process.pid}.${randomBytes(4).toString('hex')}`
}

export function generationName(generation: number): string {
  return `control.${generation}.sock`
}

/**
 * Returns the directory of the sockets of a data directory. This is the data directory or, when its path is too long for a socket, a directory of
 * the same owner under the system's temporary one.
 * @throws {Error} when that one belongs to another user or is open to others
 */
export function lockDirectory(dataDirectory: string): string {
  const path = realpathSync(dataDirectory)
  if (Buffer.byteLength(path) + 1 + LONGEST_NAME <= LONGEST_SOCKET_PATH) return path
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 20)
  const elsewhere = join(tmpdir(), `millrace-${digest}`)
  if (mkdirSync(elsewhere, { recursive: true, mode: 0o700 })) giveToOwnerOf(path, elsewhere)
  const { uid, mode } = lstatSync(elsewhere)
  const user = process.geteuid?.()
  if ((uid === user || (user === 0 && uid === statSync(path).uid)) && (mode & 0o077) === 0) return elsewhere
  throw new Error(
    `${elsewhere} belongs to someone else or is open to others. Remove it, or give a data directory with a shorter path.`,
  )
}

export function listLockFiles(directory: string): LockFiles {
  const names = readdirSync(directory)
  const generations = names.map((name) => GENERATION.exec(name)?.[1]).filter((digits) => digits !== undefined)
  return {
    directory,
    generations: generations.map(Number).sort((a, b) => a - b),
    own: names.filter((name) => OWN.test(name)),
  }
}

/** Returns the name that the process of a generation has bound, a second name of the same socket. It is gone if the process ended properly. */
export function ownNameOf(files: LockFiles, generation: number): string | undefined {
  const socket = inode(files.directory, generationName(generation))
  return files.own.find((own) => socket !== undefined && inode(files.directory, own) === socket)
}

/** Returns the pid that `ownName` has put into a name. */
export function pidOf(own: string | undefined): number | undefined {
  const pid = own && OWN.exec(own)?.[1]
  return pid ? Number(pid) : undefined
}

function inode(directory: string, name: string): number | undefined {
  return lstatSync(join(directory, name), { throwIfNoEntry: false })?.ino
}
