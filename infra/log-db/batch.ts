import type { Appended, Claim, ClaimTaken } from '../../domain/kernel/ports/event-log.ts'
import type { StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { EncodedEvent } from './event-row.ts'

/** One write of a batch. Plain data, so that another thread can carry it out. */
export type Write = AppendWrite | KeyWrite | CheckpointWrite | CounterWrite | ReactorStoreWrite

export interface AppendWrite {
  readonly kind: 'append'
  readonly stream: string
  readonly expected: number | 'any'
  readonly events: readonly EncodedEvent[]
  readonly take: readonly ClaimTaken[]
  readonly release: readonly string[]
  readonly repeatable: boolean
  readonly numbers: readonly string[]
}

/** `half` is null for a key that is destroyed. */
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

/** Moves a counter to at least a value, and on from there. */
export interface CounterWrite {
  readonly kind: 'counter'
  readonly counter: string
  readonly atLeast: number
  readonly add: number
}

/** Changes of the reactor's books, in their order, and how far it has got with them. */
export interface ReactorStoreWrite {
  readonly kind: 'books'
  readonly entries: readonly StoreChange[]
  readonly checkpoint: CheckpointWrite | undefined
}

/** What became of one write; `failed` says why it alone could not be stored. */
export type WriteOutcome = Appended | 'done' | { readonly counted: number } | { readonly failed: string }

/** Writes that become durable together. */
export interface Batch {
  readonly writes: readonly Write[]
  /** Milliseconds since 1970, by which claims run out. */
  readonly now: number
}

export const isHeld = (claim: Claim, now: number): boolean => claim.until === undefined || claim.until > now
