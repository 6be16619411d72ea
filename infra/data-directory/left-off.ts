import { closeSync, fstatSync, openSync, readFileSync, realpathSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Left, LeftOff } from '../../workers/left-off.ts'
import { openForOwner } from '../owner-only.ts'

const FILE = 'left-off.json'

/** What a note says of itself: the file and the directory in which it was written. A copy of it is in another file, or in another directory. */
interface Note {
  readonly inode?: number
  readonly directory?: string
  readonly position?: number
}

const read = (path: string) => {
  const file = openSync(path, 'r')
  try {
    const { ino, dev } = fstatSync(file)
    return { note: JSON.parse(readFileSync(file, 'utf8')) as Note, ino, dev }
  } finally {
    closeSync(file)
  }
}

/** Whether the original of a note is still where it was written, which is not here. */
const hasOriginal = ({ inode, directory }: Note, here: { readonly ino: number; readonly dev: number }): boolean => {
  if (directory === undefined) return false
  try {
    const there = statSync(join(directory, FILE))
    return there.ino === inode && (there.ino !== here.ino || there.dev !== here.dev)
  } catch {
    return false
  }
}

const leftIn = (path: string, directory: string): Left => {
  const { note, ino, dev } = read(path)
  if (note.position === undefined) return undefined
  // A snapshot of a disk keeps the number of the file, and is mounted elsewhere.
  const isOwn = note.inode === ino && (note.directory === undefined || note.directory === directory)
  if (isOwn) return { position: note.position }
  if (hasOriginal(note, { ino, dev })) return 'copied'
  return note.inode === ino ? { position: note.position } : 'moved or copied'
}

/** Returns the note of a data directory of how far its service had come. A backup does not have it. */
export const directoryLeftOff = (directory: string): LeftOff => {
  const path = join(directory, FILE)
  return {
    read() {
      try {
        return leftIn(path, realpathSync(directory))
      } catch {
        return undefined
      }
    },
    write(position) {
      const file = openForOwner(path)
      const { ino: inode } = fstatSync(file)
      writeSync(file, JSON.stringify({ inode, position, directory: realpathSync(directory) } satisfies Note))
      closeSync(file)
    },
  }
}
