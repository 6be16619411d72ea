import type { FactReader } from '../kernel/decide/command.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'

/**
 * What an operation does that cannot simply be taken back, reaches many people, shows something to everybody, or moves money: a verb phrase, such as
 * "gives money back". `null`: nothing but what its fields say. An operation that changes something and does not say it does not start.
 */
export type Consequence = string | null

/** What an operation is asked for. */
export interface Wanted {
  /** Record that gets what is created; the workspace is none. */
  readonly owner?: Document | undefined
  /** Record that is changed. */
  readonly document?: Document | undefined
  /** Fields that are sent. */
  readonly sent: JsonObject
  parseId(value: unknown, kind: string): number | undefined
}

/** Returns whether nobody sees yet what an operation writes to, so that only what its fields say follows from it. */
export type IsUnseen = (wanted: Wanted, read: FactReader) => MaybePromise<boolean>
