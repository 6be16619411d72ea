import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { forceToDisk } from '../force-to-disk.ts'
import { BLOBS, isDraft } from './directory.ts'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const copyEach = (from: string, to: string): void => {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    try {
      if (entry.isDirectory()) copyEach(source, target)
      else if (!isDraft(entry.name)) {
        copyFileSync(source, target)
        forceToDisk(target)
      }
    } catch (error) {
      // Removed meanwhile.
      if (!isMissing(error)) throw error
    }
  }
  forceToDisk(to)
}

/** Copies the blobs of a data directory into another, even while blobs are written. Blobs that are removed meanwhile may be missing. */
export const copyBlobs = (from: string, to: string): void => {
  const source = path.join(from, BLOBS)
  if (existsSync(source)) copyEach(source, path.join(to, BLOBS))
}
