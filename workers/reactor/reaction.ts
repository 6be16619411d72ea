import type { Json, RecordedEvent } from '../../domain/kernel/event.ts'
import type { MaybePromise } from '../../domain/kernel/maybe-promise.ts'

/** What came of a reaction. */
export type Outcome =
  | { readonly came: 'done' }
  /** Part of it or all of it was refused: an outcome, which is written down. */
  | { readonly came: 'refused'; readonly reasons: readonly string[] }
  /** Its time has not come; milliseconds since 1970. */
  | { readonly came: 'early'; readonly notBefore: number }
  /** The process stops; it goes on at the next start. */
  | { readonly came: 'stopped' }

export const DONE: Outcome = { came: 'done' }
export const STOPPED: Outcome = { came: 'stopped' }

/** One try of a reaction. */
export interface Turn {
  /** Whether the process stops: what takes long ends then, and goes on where it was. */
  stopping(): boolean
  /** What was last kept of this reaction to this event; `null`: nothing. */
  cursor(): MaybePromise<Json>
  /** Keeps how far it has got, over a kill; gone when it is done. */
  keep(value: Json): Promise<void>
}

/** What follows from events (design 7). Declared where it is decided, carried out by the reactor. */
export interface Reaction {
  readonly name: string
  /** Types of events; `all`: `concerns` says which. */
  readonly on: readonly string[] | 'all'
  concerns?(event: RecordedEvent): boolean
  /** What is waited for together with others, as far as reactions of other workspaces must not wait for it. */
  gate(event: RecordedEvent): string
  /** How many of a gate are under way at once. */
  readonly width: number
  /** Tries that may fail before it is given up. */
  readonly tries: number
  /** Name of the checkpoint that it had before there were books. */
  readonly former?: string
  /** Does what follows. Doing it again changes nothing. @throws whatever makes another try worth while */
  react(event: RecordedEvent, turn: Turn): Promise<Outcome>
}

/** The reactions to an event. */
export const reactionsBy = (reactions: readonly Reaction[]): ((event: RecordedEvent) => readonly Reaction[]) => {
  const byType = new Map<string, readonly Reaction[]>()
  const always = reactions.filter(({ on }) => on === 'all')
  for (const reaction of reactions) {
    if (reaction.on === 'all') continue
    for (const type of reaction.on) byType.set(type, [...(byType.get(type) ?? []), reaction])
  }
  return (event) => {
    const some = byType.get(event.type) ?? []
    const more = always.filter((reaction) => reaction.concerns?.(event))
    return more.length === 0 ? some : [...some, ...more]
  }
}
