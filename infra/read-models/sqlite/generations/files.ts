import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { forceToDisk } from '../../../force-to-disk.ts'

/** Beside the file: the one that is built to replace it. */
export const buildingOf = (file: string): string => `${file}.building`

const markOf = (file: string): string => `${file}-damaged`

/** Removes a file of read models. It goes before its log: without that it might be taken for whole. */
export const removeViews = (file: string): void => {
  rmSync(file, { force: true, recursive: true })
  removeLogs(file)
}

/**
 * Puts a complete file without a log in the place of the one of this name, such that a crash at any point leaves either, or one that is
 * known to be of no use.
 * @param isWhole whether the present file is whole without its log
 */
export const replaceViews = (file: string, by: string, isWhole: boolean): void => {
  if (!isWhole) leaveMark(file, 'it was being replaced')
  // A log that was left would be taken for that of the new file.
  removeLogs(file)
  forceToDisk(path.dirname(file))
  renameSync(by, file)
  forceToDisk(path.dirname(file))
  rmSync(markOf(file), { force: true })
}

/** Notes that a file is damaged, so that it is built anew on the next start. */
export const leaveMark = (file: string, reason: string): void => {
  try {
    writeFileSync(markOf(file), reason, { flag: 'wx' })
    forceToDisk(path.dirname(file))
  } catch {
    // It is there, or there is no room: then the damage is met again.
  }
}

/** What a mark says, if there is one. */
export const readMark = (file: string): string | undefined =>
  existsSync(markOf(file)) ? readFileSync(markOf(file), 'utf8') : undefined

/** Takes a mark away; its file has to be gone. */
export const removeMark = (file: string): void => rmSync(markOf(file), { force: true })

const removeLogs = (file: string): void => {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}
