import { fitsKey } from './key-buffer.ts'

/** @throws {Error} for an id that a key cannot hold whole and read back. */
export function checkId(collection: string, id: number | string): void {
  if (typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && fitsKey(id) && !id.includes('\0')) return
  throw new Error(
    `${collection}: ${JSON.stringify(id)} cannot be the id of a document (a number or up to 84 characters)`,
  )
}
