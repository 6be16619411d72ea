import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forceToDisk } from '../force-to-disk.ts'
import type { ImportNote, UnfinishedImport } from '../transfer/import-note.ts'

const FILE = 'import-unfinished.json'

/** Returns the note of an unfinished import in a data directory: a file that is on disk before anything is imported. */
export const directoryImportNote = (directory: string): ImportNote => {
  const path = join(directory, FILE)
  return {
    read() {
      if (!existsSync(path)) return undefined
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as UnfinishedImport
      } catch {
        return { file: 'an archive', begun: 'an unknown time', failed: `${path} cannot be read` }
      }
    },
    write(note) {
      const draft = `${path}.${process.pid}`
      writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(draft, path)
      forceToDisk(directory)
    },
    remove() {
      rmSync(path, { force: true })
      forceToDisk(directory)
    },
  }
}
