import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { holdCopy } from '../../workers/older-copy.ts'
import { FINGERPRINT } from '../vault/key-store.ts'
import { MasterKey } from '../vault/master-key.ts'
import type { ArchiveLine, Summary } from './format.ts'
import { importArchive, type Target, TransferError } from './import.ts'
import type { ImportNote } from './import-note.ts'

/** A key by which each kind of line is known. */
const KINDS = [
  ...['key', 'event', 'end', 'claim', 'counter', 'checkpoint'],
  ...['reaction', 'behind', 'cursor', 'owed', 'dead'],
]

/** Yields the lines of an archive. @throws {TransferError} naming the line that is none */
async function* linesOf(file: string): AsyncGenerator<ArchiveLine> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number++
    yield parsed(line, file, number)
  }
}

const parsed = (line: string, file: string, number: number): ArchiveLine => {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && KINDS.some((kind) => kind in value)) return value as ArchiveLine
  } catch {
    // Reported below, like a line of another kind.
  }
  throw new TransferError(`${file} is not an archive, or is cut off: line ${number} cannot be read`)
}

/**
 * Checks, before anything is created or changed, that a file is an archive and that this master secret opens it.
 *
 * @throws {TransferError} otherwise; {Error} when the file cannot be read
 */
export const checkArchive = async (file: string, secret: Uint8Array | undefined): Promise<void> => {
  for await (const line of linesOf(file)) {
    const fingerprint = 'key' in line && line.key.subject === FINGERPRINT ? line.key.wrapped : null
    if (fingerprint === null) return
    if (secret && Buffer.from(new MasterKey(secret).fingerprint).toString('base64') === fingerprint) return
    throw new TransferError(
      'the archive was made under another master secret; give this installation the same one first, ' +
        'as MILLRACE_SECRET or as the file `secret` in its data directory. Nothing was changed',
    )
  }
  throw new TransferError(`${file} is empty`)
}

/**
 * Imports an archive as `importArchive` does, and keeps a note beside the stores for as long as only a part of it is there.
 *
 * @throws {TransferError} as `importArchive`
 */
export const restoreArchive = async (
  stores: Target & { readonly importNote: ImportNote },
  file: string,
  onProgress: (events: number) => void,
): Promise<Summary> => {
  const { importNote } = stores
  const begun = new Date().toISOString()
  try {
    const beforeWriting = () => importNote.write({ file, begun })
    const summary = await importArchive(stores, linesOf(file), { onProgress, beforeWriting })
    // Nothing tells a log that has moved from a copy whose original goes on.
    await holdCopy(stores.reactorStore, await stores.log.lastPosition())
    await importNote.remove()
    return summary
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    if (await importNote.read()) await importNote.write({ file, begun, failed })
    throw error
  }
}
