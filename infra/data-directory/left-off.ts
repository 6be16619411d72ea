import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOff } from '../../workers/older-copy.ts'
import { openForOwner } from '../owner-only.ts'

const FILE = 'left-off.json'

/** Reads the note, which counts only in the file in which it was written: a copy of the file is another one. */
const readNote = (file: number): number | undefined => {
  const { inode, position } = JSON.parse(readFileSync(file, 'utf8')) as { inode?: number; position?: number }
  return inode === fstatSync(file).ino ? position : undefined
}

/** Returns the note of a data directory of how far its service had come. A backup does not have it. */
export const directoryLeftOff = (directory: string): LeftOff => {
  const path = join(directory, FILE)
  return {
    read() {
      try {
        const file = openSync(path, 'r')
        try {
          return readNote(file)
        } finally {
          closeSync(file)
        }
      } catch {
        return undefined
      }
    },
    write(position) {
      const file = openForOwner(path)
      writeSync(file, JSON.stringify({ inode: fstatSync(file).ino, position }))
      closeSync(file)
    },
  }
}
