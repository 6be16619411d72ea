import type { Appended, Claim, ClaimWithNumber } from '../../domain/kernel/ports/event-log.ts'
import type { StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { EncodedEvent } from './event-row.ts'

/** One write of a batch. It is plain data, so that another thread can carry it out. */
export type Write = AppendWrite | KeyWrite | CheckpointWrite | CounterWrite | ReactorStoreWrite

export interface AppendWrite {
  readonly kind: 'append'
  readonly stream: string
  readonly expected: number | 'any'
  readonly events: readonly EncodedEvent[]
  readonly take: readonly ClaimWithNumber[]
  readonly release: readonly string[]
  readonly repeatable: boolean
  readonly numbers: readonly string[]
}

/** `half` is null for a destroyed key. */
export interface KeyWrite {
  readonly kind: 'key'
  readonly subject: number
  readonly slot: number | null
  readonly half: Uint8Array | null
}

export interface CheckpointWrite {
  readonly kind: 'checkpoint'
  readonly reactor: string
  readonly position: number
}

/** Raises a counter to at least a value, then adds to it. */
export interface CounterWrite {
  readonly kind: 'counter'
  readonly counter: string
  readonly atLeast: number
  readonly add: number
}

/** Changes of the reactor store, in their order, and the checkpoint that covers them. */
export interface ReactorStoreWrite {
  readonly kind: 'books'
  readonly entries: readonly StoreChange[]
  readonly checkpoint: CheckpointWrite | undefined
}

/** Outcome of one write; `failed` says why only this write could not be stored. */
export type WriteOutcome = Appended | 'done' | { readonly counted: number } | { readonly failed: string }

/** Writes that become durable together. */
export interface Batch {
  readonly writes: readonly Write[]
  /** Time by which claims expire, in milliseconds since 1970. */
  readonly now: number
}

export const isHeld = (claim: Claim, now: number): boolean => claim.until === undefined || claim.until > now
