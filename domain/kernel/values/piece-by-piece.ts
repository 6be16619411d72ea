import type { Steps } from './turns.ts'

/** Code units of a piece. */
const PIECE = 16_384

const isFirstHalf = (text: string, at: number): boolean => /[\uD800-\uDBFF]/.test(text[at] ?? '')

/** Changes a text in steps, however long it is. @param change looks at nothing but single characters */
export const pieceByPiece = function* (text: string, change: (piece: string) => string): Steps<string> {
  if (text.length <= PIECE) return change(text)
  const changed: string[] = []
  for (let from = 0, to = 0; from < text.length; from = to) {
    yield
    to = from + PIECE
    if (isFirstHalf(text, to - 1)) to++
    changed.push(change(text.slice(from, to)))
  }
  return changed.join('')
}
