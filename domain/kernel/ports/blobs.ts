/**
 * What is too large for an event and derived from nothing else: files that people download. Each is a set of parts under one name, so that whoever
 * is interrupted in writing it goes on at a part. What is personal in it is sealed beforehand. Every implementation passes test/infra/blobs.contract.ts.
 */
export interface Blobs {
  /** Writes a part, in place of an earlier one of this number: all of it or nothing. Durable when it resolves. */
  write(name: string, part: number, content: Iterable<string | Uint8Array>): Promise<void>
  has(name: string, part: number): Promise<boolean>
  /** A part in pieces, as it was when the first was asked for. @throws {Error} when there is none */
  read(name: string, part: number): AsyncIterable<Uint8Array>
  /** Takes away one part, or all with whatever a kill has left of them; harmless when there are none. */
  remove(name: string, part?: number): Promise<void>
}
