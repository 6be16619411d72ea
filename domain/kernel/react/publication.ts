import type { FactReader } from '../decide/command.ts'
import type { DomainEvent, FoldedEvent, JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/**
 * A public event type, declared with the resource that it is about. It is a pure function of events, and happens at most once per record and
 * write, however many events the write has. An event that concerns many records is one public event for each: functions are given which.
 */
export interface Publication<Type extends string = string, Event = DomainEvent> {
  /** Types of events of the resource's aggregate that cause it. */
  readonly on: readonly Type[]
  /** Condition that the event must meet as well, for a record that it concerns. */
  when?(event: Event, subjectId: number): boolean
  /** Types of events that suppress it when they are in the same write: no `updated` in the write that creates. */
  readonly unlessWith?: readonly Type[]
  /** Description for subscribers, one sentence. */
  readonly about: string
  /** Its key in the contract. */
  readonly alias?: string
  /** Returns facts that the subject's record does not show, such as where it came from. They must not be personal. */
  details?(event: Event): JsonObject
  /** Returns the page and the funnel in which a visitor caused it. */
  origin?(event: Event): Origin
  /**
   * Returns whose occurrence it is, and the ids that conditions of workflow triggers compare. Types without it start no workflow. Documents are
   * at least as new as the event.
   */
  concerns?(event: Event & Pick<FoldedEvent, 'stream'>, read: FactReader, subjectId: number): MaybePromise<Concerned>
  /** Sends it only to one webhook endpoint, regardless of subscriptions: to that which it is about, or whose id the function returns. */
  readonly addressed?: true | ((event: Event) => number)
}

/** Declaration of a publication. */
export interface PublicationSpec<Type extends string = string, Event = DomainEvent>
  extends Omit<Publication<Type, Event>, 'alias'> {
  /** Its key in the contract; `true`: its own key without the `$`. */
  readonly alias?: string | true
}

/** Returns publications by their keys, with `alias: true` replaced by the key without the `$`. */
export const withAliases = (declared: Readonly<Record<string, PublicationSpec>>): Publications =>
  Object.fromEntries(
    Object.entries(declared).map(([key, { alias, ...publication }]) => [
      key,
      { ...publication, ...(alias !== undefined && { alias: alias === true ? key.slice(1) : alias }) },
    ]),
  )

export interface Origin {
  readonly page_id: number | null
  readonly funnel_id: number | null
}

/** Contact whose occurrence something is, and what conditions of workflow triggers compare. */
export interface Concerned {
  /** `null`: no contact is known, so that no workflow starts. */
  readonly contact_id: number | null
  /** Values by the names of the conditions. Of a list any value may match. */
  readonly conditions: Readonly<Record<string, string | number | null | readonly number[]>>
  /** When it happened, where that may be long before it was recorded. */
  readonly happened_at?: string | null
}

/** Publications by key: `$contact.tag_applied`. */
export type Publications = Readonly<Record<string, Publication>>
