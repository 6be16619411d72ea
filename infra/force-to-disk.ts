import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Forces the content of a file, or the entries of a directory, to disk. */
export const forceToDisk = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
