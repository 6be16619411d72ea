import type { Decider } from '../../domain/kernel/decide/decider.ts'
import { openEvent } from '../../domain/kernel/model/personal.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { readFixtures, UPDATE, writeFixture } from './golden.ts'

const FOLDER = 'events'
const FIRST_ID = 1001
const BEGINNING = Date.UTC(2026, 0, 1)
/** Ids are minted from milliseconds, so they are far above any sequence number. */
const SMALLEST_MINTED = 2 ** 40

/** A recorded event with its personal data in the clear. */
export type EventFixture = RecordedEvent

/** `contacts/tag/ContactsTagCreated.v1.json` */
export const fixtureName = (aggregate: string, type: string, version: number): string =>
  `${aggregate}/${type}.v${version}.json`

const versionOf = (event: EventFixture): number => event.metadata.v ?? 1
const nameOf = (event: EventFixture): string =>
  fixtureName(parseStream(event.stream).name, event.type, versionOf(event))

export const eventFixtures = (): ReadonlyMap<string, EventFixture> => readFixtures<EventFixture>(FOLDER)

/** Fixtures that are missing, that no aggregate declares, or that hold another event than their name says. */
export const fixtureProblems = (
  aggregates: readonly Decider[],
  fixtures: ReadonlyMap<string, EventFixture>,
): readonly string[] => {
  const declared = aggregates.flatMap(({ name, events }) =>
    Object.entries(events).flatMap(([type, upcasts]) =>
      Array.from({ length: upcasts.length + 1 }, (_, index) => fixtureName(name, type, index + 1)),
    ),
  )
  const missing = declared
    .filter((name) => !fixtures.has(name))
    .map(
      (name) =>
        `${name} is missing: let a maker in test/support/records.ts, or test/support/traffic/, bring the event about, then ${UPDATE}`,
    )
  const undeclared = [...fixtures.keys()]
    .filter((name) => !declared.includes(name))
    .map((name) => `${name} is of an event that nothing declares any more, but that may be in logs`)
  const misplaced = [...fixtures]
    .filter(([name, event]) => nameOf(event) !== name)
    .map(([name]) => `${name} holds another event`)
  return [...missing, ...undeclared, ...misplaced]
}

/** Replaces the values that differ from run to run (ids, UUIDs, times, secrets) by fixed ones. */
const fixed = (firstId: number) => {
  const ids = new Map<string, number>()
  const idFor = (id: string): number => {
    ids.set(id, ids.get(id) ?? firstId + ids.size)
    return ids.get(id)!
  }
  const uuids = new Map<string, string>()
  const uuidFor = (uuid: string): string => {
    const number = String(uuids.size + 1).padStart(12, '0')
    uuids.set(uuid, uuids.get(uuid) ?? `00000000-0000-4000-8000-${number}`)
    return uuids.get(uuid)!
  }
  const text = (value: string): string =>
    value
      .replace(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/, new Date(BEGINNING).toISOString())
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uuidFor)
      .replace(/\b\d{13,16}\b/g, (digits) => String(idFor(digits)))
  return function fix(value: unknown, key = ''): unknown {
    if (typeof value === 'number') return value >= SMALLEST_MINTED ? idFor(String(value)) : value
    if (typeof value === 'string') return key === 'hash' || key === 'hint' ? `fixed ${key}` : text(value)
    if (Array.isArray(value)) return value.map((item) => fix(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fix(inner, name)]))
  }
}

/** One event for each type, from the stream with most types, so that the fixtures of an aggregate form one history. */
const oneOfEach = (events: readonly EventFixture[]): readonly EventFixture[] => {
  const types = new Map<string, Set<string>>()
  for (const { stream, type } of events) types.set(stream, (types.get(stream) ?? new Set()).add(type))
  const richest = [...events].sort((a, b) => types.get(b.stream)!.size - types.get(a.stream)!.size)
  const chosen = new Map<string, EventFixture>()
  for (const event of richest) if (!chosen.has(nameOf(event))) chosen.set(nameOf(event), event)
  return [...chosen.values()].sort((a, b) => a.position - b.position)
}

/** Runs `bring` and writes a fixture for every event type and version it appends that has none yet. */
export const writeMissingFixtures = async (log: EventLog, vault: Vault, bring: () => Promise<void>): Promise<void> => {
  const events: EventFixture[] = []
  // Opened as they are appended: a person may be erased later, and their data with them.
  const subscription = log.subscribe(async (batch) => {
    for (const event of batch) events.push(await openEvent(vault, event))
  })
  await bring()
  await subscription.close()
  const present = eventFixtures()
  const taken = [...present.values()].map(({ stream }) => parseStream(stream).id)
  const missing = oneOfEach(events).filter((event) => !present.has(nameOf(event)))
  const fix = fixed(Math.max(0, ...taken) + FIRST_ID)
  for (const event of missing) writeFixture(FOLDER, nameOf(event), fix(event))
}
