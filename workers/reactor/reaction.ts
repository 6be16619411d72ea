import type { Write } from '../../domain/kernel/engine/write.ts'
import type { HasEventType, Json, RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'

/** Outcome of a reaction. */
export type Outcome =
  | { readonly came: 'done' }
  /** All or part of it was refused. The reasons are stored. */
  | { readonly came: 'refused'; readonly reasons: readonly string[] }
  /** It is not due yet; milliseconds since 1970. */
  | { readonly came: 'early'; readonly notBefore: number }
  /** The process is stopping. The task continues at the next start. */
  | { readonly came: 'stopped' }

export const DONE: Outcome = { came: 'done' }
export const STOPPED: Outcome = { came: 'stopped' }

/** Lane and concurrency group of a task. */
export interface TaskPlace {
  /** Tasks of a lane run in order. Begins with the name of the reaction and a colon. */
  readonly lane: string
  /** Concurrency group: its tasks share one limit, and those of other groups do not wait for them. */
  readonly group: string
}

/** Lets long work store its progress, and continue where it was. */
export interface BatchTurn {
  /** Whether the process is stopping. Long work then ends, and later continues where it was. */
  stopping(): boolean
  /** Value last stored for this reaction to this event; `null`: none. */
  cursor(): MaybePromise<Json>
  /** Stores progress that survives a kill. It is deleted when the task is done. */
  saveCursor(value: Json): Promise<void>
}

/** Context of one attempt. */
export interface TaskTurn extends BatchTurn {
  /** Lane of the task. */
  readonly lane: string
  /** Notes that it has come further, as saving the cursor does. Work that never does so, and at which the process ends again and again, is set aside. */
  advanced(): Promise<void>
  /** All events that were appended together with this one. */
  write(): MaybePromise<Write>
}

/** A reaction to events: its declaration, which the reactor runs. */
export interface Reaction {
  readonly name: string
  /** Event types; `all`: `concerns` selects them. */
  readonly on: readonly string[] | 'all'
  concerns?(event: RecordedEvent): boolean
  /** Called with every event in the order of the log, before any reaction to it. */
  watch?(event: RecordedEvent): void
  /** Whether it reacts once to all events that were appended together, at the first that concerns it. */
  readonly oncePerWrite?: true
  /** Lanes and groups of the tasks for an event, one task in each. */
  places(event: RecordedEvent): readonly TaskPlace[]
  /** How many tasks of a group may run at once at present. */
  limit(group: string): number
  /** How many tasks may run at once over all groups. */
  readonly limitOfAll: number
  /** Number of failed attempts after which a task is given up. */
  readonly maxAttempts: number
  /** Runner that this replaces, from before the reactor store. Continues at its checkpoint, or at the beginning. */
  readonly former?: { readonly checkpoint: string; readonly from: 'there' | 'the beginning' }
  /** Does the work. Doing it again must change nothing. @throws any error after which another attempt makes sense */
  react(event: RecordedEvent, turn: TaskTurn): Promise<Outcome>
}

/** Default of `limitOfAll`. */
const LIMIT_OF_ALL = 64

/** A reaction to the events of each stream in their order, in one concurrency group or several. */
export type StreamReaction = Omit<Reaction, 'on' | 'places' | 'limit' | 'limitOfAll'> & {
  readonly on: readonly HasEventType[] | 'all'
  group(event: RecordedEvent): string
  /** How many tasks of a group may run at once. */
  readonly width: number
  readonly limitOfAll?: number
}

/** Returns a reaction with a lane for each stream. */
export const inStreams = ({ on, group, width, limitOfAll = LIMIT_OF_ALL, ...reaction }: StreamReaction): Reaction => ({
  ...reaction,
  on: on === 'all' ? on : namesOf(on),
  limitOfAll,
  places: (event) => [{ lane: `${reaction.name}:${event.stream}`, group: group(event) }],
  limit: () => width,
})

export const namesOf = (types: readonly HasEventType[]): readonly string[] => types.map(({ type }) => type)

/** Returns a function that finds the reactions to an event. */
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
