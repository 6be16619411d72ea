import { createHash, randomUUID } from 'node:crypto'
import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import { storedKey } from '../../claim-key.ts'
import { BOOKKEEPING } from '../wire/codec.ts'

/** Prefix for the names of reservation streams: one for each key that was ever claimed. */
export const RESERVATIONS = `${BOOKKEEPING}claim-`

/** Holder of a key; `null`: nobody. */
export type Holder = Omit<Claim, 'key'> | null

/** An event whose presence in its stream decides whether an append took place. */
export interface CommitPoint {
  readonly stream: string
  readonly revision: number
  readonly id: string
}

/** State of a key, which holds at once or only if an append takes place. */
export interface ClaimState {
  readonly holder: Holder
  readonly when?: CommitPoint
  /** State if that append did not take place; default: nobody holds the key. */
  readonly otherwise?: ClaimState
}

/** Last record about a key. */
export interface ClaimRecord extends ClaimState {
  readonly key: string
  /** Revision of the record in the reservation stream; -1 when there is none yet. */
  readonly at: number
  /** When the server wrote it, in milliseconds since 1970. */
  readonly writtenAt: number
}

export const NOBODY: ClaimState = { holder: null }

/** Names the stream by a hash, so that any key makes a valid name and none can be read from it. */
export function reservationStream(key: string): string {
  return RESERVATIONS + createHash('sha256').update(storedKey(key)).digest('hex')
}

export function recordEvent(key: string, { holder, when, otherwise }: ClaimState) {
  const data = { key, holder, ...(when && { when }), ...(otherwise && { otherwise }) }
  return jsonEvent({ id: randomUUID(), type: 'ClaimChanged', data })
}

export function claimRecord({ data, revision, created }: Raw): ClaimRecord {
  return { ...(data as unknown as ClaimState & { key: string }), at: Number(revision), writtenAt: created.getTime() }
}

export function sameCommit(a: CommitPoint | undefined, b: CommitPoint | undefined): boolean {
  return a?.id === b?.id && a?.revision === b?.revision && a?.stream === b?.stream
}
