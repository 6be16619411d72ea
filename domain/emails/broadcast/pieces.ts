import { MOST_RECIPIENTS } from '../mailing/outcomes.ts'

/** Returns the number of contacts in a piece of an audience. */
export const sizeOfPiece = (targets: number, piece: number): number =>
  Math.max(0, Math.min(MOST_RECIPIENTS, targets - piece * MOST_RECIPIENTS))
