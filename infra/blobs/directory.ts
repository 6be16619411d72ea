import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import { asUnavailable } from '../sqlite/failures.ts'
import { assertName } from './names.ts'

/** Name of the folder of blobs in a data directory. */
export const BLOBS = 'blobs'

const DRAFT = '.draft'

/** Whether a file is a part that is being written, or was never finished. */
export const isDraft = (name: string): boolean => name.endsWith(DRAFT)

/** Bytes written at once. */
const PIECE_BYTES = 64 * 1024

/** Bytes read at once: few enough that processing them in one turn of the event loop does not delay other work. */
const READ_BYTES = 16 * 1024

/** Forces the entries of a directory to disk. */
const forceEntries = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a directory with its missing parents, and forces all of them to disk. */
const makeDirectory = async (directory: string): Promise<void> => {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = directory; made.length >= first.length; made = path.dirname(made)) {
    await forceEntries(path.dirname(made))
  }
}

const writeAll = async (file: FileHandle, content: Iterable<string | Uint8Array>): Promise<void> => {
  let pieces: Uint8Array[] = []
  let bytes = 0
  const put = async () => {
    await file.writeFile(Buffer.concat(pieces))
    pieces = []
    bytes = 0
  }
  for (const one of content) {
    const piece = typeof one === 'string' ? Buffer.from(one) : one
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= PIECE_BYTES) await put()
  }
  await put()
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Stores each blob as a directory under `root` and each part as a file, readable for its owner only. The first write creates `root`. */
export const directoryBlobs = (root: string): Blobs => {
  const directoryOf = (name: string): string => {
    assertName(name)
    return path.join(root, ...name.split('/'))
  }
  const fileOf = (name: string, part: number): string => path.join(directoryOf(name), String(part))

  const write: Blobs['write'] = async (name, part, content) => {
    const directory = directoryOf(name)
    // A unique name, because two processes may write the same part when one takes over from the other.
    const draft = path.join(directory, `${part}.${randomUUID()}${DRAFT}`)
    try {
      await makeDirectory(directory)
      const file = await open(draft, 'wx', 0o600)
      try {
        await writeAll(file, content)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, fileOf(name, part))
      await forceEntries(directory)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw asUnavailable(`The file ${fileOf(name, part)} could not be written`, error)
    }
  }

  return {
    write,
    async has(name, part) {
      const file = fileOf(name, part)
      return access(file).then(
        () => true,
        () => false,
      )
    },
    async *read(name, part) {
      yield* createReadStream(fileOf(name, part), { highWaterMark: READ_BYTES })
    },
    async remove(name, part) {
      if (part !== undefined) return rm(fileOf(name, part), { force: true })
      const directory = directoryOf(name)
      await rm(directory, { recursive: true, force: true })
      await forceEntries(path.dirname(directory)).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    },
  }
}
