import type { Steps } from './turns.ts'

/** Code units of a piece that is changed. */
const PIECE = 16_384

const isFirstHalf = (text: string, at: number): boolean => /[\uD800-\uDBFF]/.test(text[at] ?? '')

/** Yields a text in pieces of about so many code units. None begins with half a character. */
export const piecesOf = function* (text: string, length: number): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + length
    if (isFirstHalf(text, to - 1)) to++
    yield text.slice(from, to)
  }
}

/** Changes a text in steps, however long it is. @param change looks at nothing but single characters */
export const pieceByPiece = function* (text: string, change: (piece: string) => string): Steps<string> {
  if (text.length <= PIECE) return change(text)
  const changed: string[] = []
  for (const piece of piecesOf(text, PIECE)) {
    yield
    changed.push(change(piece))
  }
  return changed.join('')
}
