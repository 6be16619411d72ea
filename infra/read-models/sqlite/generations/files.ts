import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { forceToDisk } from '../../../force-to-disk.ts'

/** Returns the file beside this one in which its replacement is built. */
export const buildingOf = (file: string): string => `${file}.building`

const markOf = (file: string): string => `${file}-damaged`

/** Removes a file of read models. The file goes before its log: without the log it might be taken for whole. */
export const removeViews = (file: string): void => {
  rmSync(file, { force: true, recursive: true })
  removeLogs(file)
}

/**
 * Replaces a file by a complete one that has no log. A crash at any point leaves one of the two, or a file that is marked as damaged.
 * @param isWhole whether the present file is whole without its log
 */
export const replaceViews = (file: string, by: string, isWhole: boolean): void => {
  if (!isWhole) leaveMark(file, 'it was being replaced')
  // SQLite would take a log that is left for that of the new file.
  removeLogs(file)
  forceToDisk(path.dirname(file))
  renameSync(by, file)
  forceToDisk(path.dirname(file))
  rmSync(markOf(file), { force: true })
}

/** Marks a file as damaged, so that it is rebuilt on the next start. */
export const leaveMark = (file: string, reason: string): void => {
  try {
    writeFileSync(markOf(file), reason, { flag: 'wx', mode: 0o600 })
    forceToDisk(path.dirname(file))
  } catch {
    // The mark exists already, or the disk is full. Then the damage will be found again.
  }
}

/** Returns the reason in the mark of a damaged file, if there is a mark. */
export const readMark = (file: string): string | undefined =>
  existsSync(markOf(file)) ? readFileSync(markOf(file), 'utf8') : undefined

/** Removes a mark. Its file has to be gone already. */
export const removeMark = (file: string): void => rmSync(markOf(file), { force: true })

const removeLogs = (file: string): void => {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}
