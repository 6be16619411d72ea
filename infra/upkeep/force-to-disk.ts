import { open } from 'node:fs/promises'

/** Forces to disk what was written to a file, or which entries a directory has. */
export const forceToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
