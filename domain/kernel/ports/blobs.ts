/**
 * Store for data that is too large for events and cannot be derived from anything else, such as files that people download. A blob is a set of parts
 * under one name, so that interrupted writing can resume at a part. Callers seal personal data beforehand. Every implementation passes
 * test/infra/blobs.contract.ts.
 */
export interface Blobs {
  /** Writes a part atomically, in place of an earlier part of this number. Durable when it resolves. */
  write(name: string, part: number, content: Iterable<string | Uint8Array>): Promise<void>
  has(name: string, part: number): Promise<boolean>
  /** Returns a part in pieces, as it was when the first piece was read. @throws {Error} when there is none */
  read(name: string, part: number): AsyncIterable<Uint8Array>
  /** Removes one part, or all parts with the leftovers of a kill. Harmless when there are none. */
  remove(name: string, part?: number): Promise<void>
}
