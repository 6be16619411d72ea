/** What a mail is for, in events about it: a broadcast, or a step in the run of a contact. Empty for mail that somebody is owed. */
export type Purpose = {
  readonly broadcast_id?: number
  readonly step_id?: number
  readonly contact_id?: number
}

/** Kind of the mailings of broadcasts. */
export const BROADCAST = 'broadcast'
/** Kind of the mailings of steps that send an e-mail. */
const STEP = 'step'

/** Returns the cause of the mailing to one piece of the audience of a broadcast. A stored format. */
export const causeOfPiece = (broadcastId: number, piece: number): string => `broadcast-${broadcastId}-${piece}`

const OF_PIECE = /^broadcast-(\d+)-\d+$/
/** A run and the step that mails. */
const OF_STEP = /^run-(\d+)-step-(\d+)$/

const numberIn = (pattern: RegExp, cause: string, group = 1): number | undefined => {
  const found = pattern.exec(cause)?.[group]
  return found === undefined ? undefined : Number(found)
}

/** Returns the broadcast of a mailing by its cause; `undefined` if it is of none. */
export const broadcastOfCause = (cause: string): number | undefined => numberIn(OF_PIECE, cause)

/** Returns the run that mails, by the cause of the mailing; `undefined` if none does. */
export const runOfCause = (cause: string): number | undefined => numberIn(OF_STEP, cause)

/** What of a mailing says what it is for. */
export type Purposeful = { readonly kind: string; readonly cause: string; readonly contact_ids: readonly number[] }

/** Returns what a mailing to contacts is for; `undefined` for one to nobody of them. */
export const purposeOf = ({ kind, cause, contact_ids }: Purposeful): Purpose | undefined => {
  const [contact_id] = contact_ids
  if (contact_id === undefined) return undefined
  const broadcast_id = kind === BROADCAST ? broadcastOfCause(cause) : undefined
  if (broadcast_id !== undefined) return { broadcast_id }
  const step_id = kind === STEP ? numberIn(OF_STEP, cause, 2) : undefined
  return step_id === undefined ? {} : { step_id, contact_id }
}
