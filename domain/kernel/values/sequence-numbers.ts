import type { JsonObject, NewEvent } from './event.ts'

/** Numbers that an append took, by counter. */
export type NumbersTaken = Readonly<Record<string, number>>

type Placeholder = { readonly $next: string }

/** Returns a placeholder for the next number of a counter in event data. The append replaces it, so that a refusal loses no number. */
export const numberPlaceholder = (counter: string): number => ({ $next: counter }) as Placeholder as unknown as number

/** Returns the name of a sequence, or of what counts apart in it. @param apart flag whose records count apart, where it is about those */
export const seriesOf = (sequence: string, apart?: string): string =>
  apart === undefined ? sequence : `${sequence}.${apart}`

/** Returns the name of the counter of a series in a workspace. */
export const workspaceCounter = (series: string, workspaceId: number | undefined): string => `${series}:${workspaceId}`

const isPlaceholder = (value: unknown): value is Placeholder =>
  typeof value === 'object' && value !== null && '$next' in value

/** Returns the counters that have placeholders in the data of events. */
export const countersIn = (events: readonly NewEvent[]): readonly string[] =>
  events.flatMap(({ data }) => Object.values(data).flatMap((value) => (isPlaceholder(value) ? value.$next : [])))

/** Returns the counter that a value is the next number of; `undefined` for a number that is known. */
export const counterIn = (value: unknown): string | undefined => (isPlaceholder(value) ? value.$next : undefined)

/** Returns data with its placeholders replaced by the numbers that were taken. */
export const withNumbers = (data: JsonObject, taken: NumbersTaken): JsonObject =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isPlaceholder(value) ? (taken[value.$next] ?? value) : value]),
  )

/** Returns events with their placeholders replaced by the numbers that were taken; unchanged if none were taken. */
export const numbered = <E extends NewEvent>(events: readonly E[], taken: NumbersTaken | undefined): readonly E[] =>
  taken ? events.map((event) => ({ ...event, data: withNumbers(event.data, taken) })) : events

/** Returns claims with their keys completed by the numbers that were taken. */
export const claimsNumbered = <C extends { readonly key: string; readonly counter?: string }>(
  claims: readonly C[],
  taken: NumbersTaken | undefined,
): readonly C[] =>
  claims.map((claim) =>
    claim.counter === undefined ? claim : { ...claim, key: `${claim.key}${taken?.[claim.counter]}` },
  )
