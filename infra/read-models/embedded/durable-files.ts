import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/** Replaces a small file such that a crash leaves either the old or the new content. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const fresh = `${file}.${process.pid}.new`
  const handle = await open(fresh, 'w')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
  await forceToDisk(path.dirname(file))
}

/** Forces to disk what was written to a file, or which entries a directory has. */
export async function forceToDisk(target: string): Promise<void> {
  const handle = await open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
