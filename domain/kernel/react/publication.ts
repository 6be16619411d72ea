import type { DomainEvent, JsonObject } from '../values/event.ts'

/**
 * A public event type, declared beside the resource that it is about (design 7): a pure function of events. It happens at most once per
 * record and write, however many events the write has.
 */
export interface Publication<Type extends string = string, Event = DomainEvent> {
  /** Types of events of the resource's aggregate that cause it. */
  readonly on: readonly Type[]
  /** Only those of them for which this holds. */
  when?(event: Event): boolean
  /** Events beside which it says nothing new: no `updated` in the write that creates. */
  readonly unlessWith?: readonly Type[]
  /** One sentence for subscribers. */
  readonly about: string
  /** The key under which the contract knows it. */
  readonly alias?: string
  /** What the subject's record alone does not tell, such as where it came from; nothing personal. */
  details?(event: Event): JsonObject
  /** The page and the funnel in which a visitor caused it. */
  origin?(event: Event): Origin
  /** Goes to the webhook endpoint that it is about and to no other, whatever that subscribes to. */
  readonly addressed?: boolean
}

/** A publication as it is declared. */
export interface PublicationSpec<Type extends string = string, Event = DomainEvent>
  extends Omit<Publication<Type, Event>, 'alias'> {
  /** The key under which the contract knows it; `true`: its own key without the `$`. */
  readonly alias?: string | true
}

/** Publications by their keys, with their aliases written out. */
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

/** Publications by key: `$contact.tag_applied`. */
export type Publications = Readonly<Record<string, Publication>>
