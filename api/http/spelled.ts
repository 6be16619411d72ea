import { createHash } from 'node:crypto'
import { encodeInTurns } from '../../domain/kernel/values/encode-in-turns.ts'
import { piecesOf } from '../../domain/kernel/values/piece-by-piece.ts'
import { timeSlices } from '../../domain/kernel/values/turns.ts'

/** Code units that are encoded between two looks at the clock. */
const PIECE = 256 * 1024

/** Text as it is sent. */
export interface Spelled {
  readonly bytes: Buffer
  readonly digest: string
}

const inPieces = function* (parts: Iterable<string>): Generator<string> {
  for (const part of parts) yield* piecesOf(part, PIECE)
}

/** Encodes a long text piece by piece. */
export const encodedPieces = function* (text: string): Generator<Buffer> {
  for (const piece of piecesOf(text, PIECE)) yield Buffer.from(piece)
}

/** Puts a text together in several turns of the event loop. */
export const spelled = async (parts: Iterable<string>): Promise<Spelled> => {
  const pieces = await encodeInTurns(inPieces(parts))
  const pause = timeSlices()
  const hash = createHash('sha256')
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    hash.update(piece)
    at += piece.copy(bytes, at)
    await pause()
  }
  return { bytes, digest: hash.digest('base64url') }
}
