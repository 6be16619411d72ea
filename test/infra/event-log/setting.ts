import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Appended, EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { JsonObject, NewEvent } from '../../../domain/kernel/values/event.ts'

/** A log under test. */
export interface OpenLog {
  readonly log: EventLog
  /** Closes the log and opens it again, as a restarted process would. */
  reopen(): Promise<EventLog>
  /** Closes the log and removes the test's data. */
  cleanup(): Promise<void>
}

/** Gives the log of the running test. */
export type Setting = () => OpenLog

/** A unique name, since suites may share one server. */
export function fresh(name: string): string {
  return `${name}-${randomUUID()}`
}

export function event(data: JsonObject = {}, id: string = randomUUID()): NewEvent {
  const metadata = { at: '2026-02-03T04:05:06.789Z', actor: 'system', $correlationId: id, $causationId: id, team_id: 7 }
  return { id, type: 'SomethingHappened', data, metadata }
}

export function events(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => event({ n }))
}

/** The result of an append that must not conflict. */
export function taken(result: Appended): Extract<Appended, { ok: true }> {
  expect(result).to.have.property('ok', true)
  return result as Extract<Appended, { ok: true }>
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const each of source) collected.push(each)
  return collected
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(2)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
