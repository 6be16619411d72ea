import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Forces to disk what was written to a file, or which entries a directory has. */
export const forceToDisk = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
