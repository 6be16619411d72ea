import type { Write } from '../../domain/kernel/engine/write.ts'
import type { HasEventType, Json, RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'

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

/** Where something that follows from an event goes. */
export interface TaskPlace {
  /** What must go in order; begins with the name of the reaction and a colon. */
  readonly lane: string
  /** What is waited for together with others, as far as those behind other groups must not wait for it. */
  readonly group: string
}

/** What is needed to go on where one was. */
export interface BatchTurn {
  /** Whether the process stops: what takes long ends then, and goes on where it was. */
  stopping(): boolean
  /** What was last kept of this reaction to this event; `null`: nothing. */
  cursor(): MaybePromise<Json>
  /** Keeps how far it has got, over a kill; gone when it is done. */
  keep(value: Json): Promise<void>
}

/** One try of a reaction. */
export interface TaskTurn extends BatchTurn {
  /** The lane in which it is made. */
  readonly lane: string
  /** All events that were appended together with this one. */
  write(): MaybePromise<Write>
}

/** What follows from events (design 7). Declared where it is decided, carried out by the reactor. */
export interface Reaction {
  readonly name: string
  /** Types of events; `all`: `concerns` says which. */
  readonly on: readonly string[] | 'all'
  concerns?(event: RecordedEvent): boolean
  /** Told of every event in the order of the log, before anything reacts to it. */
  watch?(event: RecordedEvent): void
  /** Whether it reacts once to all events that were appended together, at the first that concerns it. */
  readonly toWrites?: true
  /** The places in which something follows from an event: in each of them once. */
  places(event: RecordedEvent): readonly TaskPlace[]
  /** How many behind a group may be under way at present. */
  limit(group: string): number
  /** How many may be under way over all groups. */
  readonly limitOfAll: number
  /** Tries that may fail before it is given up. */
  readonly maxAttempts: number
  /** What did this before there were books: it goes on behind the checkpoint of that, or looks at everything once more. */
  readonly former?: { readonly checkpoint: string; readonly from: 'there' | 'the beginning' }
  /** Does what follows. Doing it again changes nothing. @throws whatever makes another try worth while */
  react(event: RecordedEvent, turn: TaskTurn): Promise<Outcome>
}

/** What is under way at once over all groups, where nothing else is said. */
const ROOM = 64

/** A reaction to the events of each stream in their order, behind one group or several. */
export type StreamReaction = Omit<Reaction, 'on' | 'places' | 'limit' | 'limitOfAll'> & {
  readonly on: readonly HasEventType[] | 'all'
  group(event: RecordedEvent): string
  /** How many of a group are under way at once. */
  readonly width: number
  readonly limitOfAll?: number
}

export const inStreams = ({ on, group, width, limitOfAll = ROOM, ...reaction }: StreamReaction): Reaction => ({
  ...reaction,
  on: on === 'all' ? on : namesOf(on),
  limitOfAll,
  places: (event) => [{ lane: `${reaction.name}:${event.stream}`, group: group(event) }],
  limit: () => width,
})

export const namesOf = (types: readonly HasEventType[]): readonly string[] => types.map(({ type }) => type)

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
