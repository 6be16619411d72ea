import type { JsonObject, NewEvent } from './event.ts'

/** Numbers that an append took, by counter. */
export type NumbersTaken = Readonly<Record<string, number>>

type Next = { readonly $next: string }

/** Stands in the data of an event for the next number of a counter, until the append takes it: so no number is lost to a refusal. */
export const nextOf = (counter: string): number => ({ $next: counter }) as Next as unknown as number

const isNext = (value: unknown): value is Next => typeof value === 'object' && value !== null && '$next' in value

/** The counters whose next numbers stand in the data of events. */
export const countersIn = (events: readonly NewEvent[]): readonly string[] =>
  events.flatMap(({ data }) => Object.values(data).flatMap((value) => (isNext(value) ? value.$next : [])))

/** Data with the numbers that were taken in their places. */
export const withNumbers = (data: JsonObject, taken: NumbersTaken): JsonObject =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isNext(value) ? (taken[value.$next] ?? value) : value]),
  )

/** Events with the numbers that were taken in their places; as they are where none was. */
export const numbered = <E extends NewEvent>(events: readonly E[], taken: NumbersTaken | undefined): readonly E[] =>
  taken ? events.map((event) => ({ ...event, data: withNumbers(event.data, taken) })) : events
