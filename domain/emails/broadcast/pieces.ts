import { MOST_RECIPIENTS } from '../mailing/outcomes.ts'

/** Kind of the mailings of broadcasts. */
export const BROADCAST = 'broadcast'

/** Returns the cause of the mailing to one piece of the audience. A stored format. */
export const causeOf = (broadcastId: number, piece: number): string => `broadcast-${broadcastId}-${piece}`

/** Returns the broadcast of a mailing by its cause; `undefined` if it is of none. */
export const broadcastOfCause = (cause: string): number | undefined => {
  const id = /^broadcast-(\d+)-\d+$/.exec(cause)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** Returns the number of contacts in a piece of an audience. */
export const sizeOfPiece = (targets: number, piece: number): number =>
  Math.max(0, Math.min(MOST_RECIPIENTS, targets - piece * MOST_RECIPIENTS))
