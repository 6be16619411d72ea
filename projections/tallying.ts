import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import type { Draft, Drafting, StreamFacts, Tally, TallyChange } from '../domain/resources/tally.ts'

/** Documents of a batch that can be loaded. */
export interface TalliedDocuments {
  /** Loads documents, each collection in one query. Those that are known already are not loaded again. */
  loadAll(wanted: ReadonlyMap<string, ReadonlySet<number | string>>): Promise<void>
  get(collection: string, id: number | string): Document | undefined
  put(collection: string, id: number | string, document: Document | null, position: number): void
}

/** Adds events to the documents of tallies. */
export interface Tallying {
  /** Whether events of this aggregate's streams concern any tally. */
  concerns(aggregate: string): boolean
  /** Adds events, in the order of the log. Events that documents hold already change nothing. */
  add(events: readonly RecordedEvent[], documents: TalliedDocuments): Promise<void>
}

export const createTallying = (tallies: readonly Tally[]): Tallying => ({
  concerns: (aggregate) => tallies.some(({ aggregates }) => aggregates.includes(aggregate)),
  async add(events, documents) {
    for (const tally of tallies) {
      const concerned = events.filter(({ stream }) => tally.aggregates.includes(parseStream(stream).name))
      if (concerned.length > 0) await addTo(tally, concerned, documents)
    }
  },
})

/** Whether a document holds an event already. */
const holds = (document: Document | undefined, { position }: RecordedEvent): boolean =>
  document !== undefined && Number(document.position) >= position

/** Returns the function that gives the facts about the stream of an event, once all events are noted. */
const noteFacts = async (
  facts: StreamFacts,
  events: readonly RecordedEvent[],
  documents: TalliedDocuments,
): Promise<(event: RecordedEvent) => Document | undefined> => {
  const withFacts = events.flatMap((event) => {
    const { name, id } = parseStream(event.stream)
    return name === facts.aggregate ? [{ event, id }] : []
  })
  await documents.loadAll(new Map([[facts.collection, new Set(withFacts.map(({ id }) => id))]]))
  for (const { event, id } of withFacts) {
    const before = documents.get(facts.collection, id)
    if (holds(before, event)) continue
    const after = facts.after(before, event)
    if (after) documents.put(facts.collection, id, { ...after, id, position: event.position }, event.position)
  }
  return ({ stream }) => {
    const { name, id } = parseStream(stream)
    return name === facts.aggregate ? documents.get(facts.collection, id) : undefined
  }
}

/**
 * Adds events to one tally: first all facts, then what follows. A crash may leave facts stored that are newer than the sums; the changes of an event
 * do not depend on later facts, so they come out the same when it is delivered again.
 */
const addTo = async (tally: Tally, events: readonly RecordedEvent[], documents: TalliedDocuments): Promise<void> => {
  const factsOf = tally.facts && (await noteFacts(tally.facts, events, documents))
  const changes = events.map((event) => [event, tally.changes(event, factsOf?.(event))] as const)
  await documents.loadAll(readBy(changes.flatMap(([, changed]) => changed)))
  const draft = drafting()
  for (const [event, changed] of changes) for (const change of changed) apply(event, change, { documents, draft })
}

/** Returns the documents that changes add to, by collection. */
const readBy = (changes: readonly TallyChange[]): ReadonlyMap<string, ReadonlySet<number | string>> => {
  const wanted = new Map<string, Set<number | string>>()
  for (const { collection, id, isNew } of changes)
    if (!isNew) getOrInsert(wanted, collection, () => new Set<number | string>()).add(id)
  return wanted
}

const apply = (
  event: RecordedEvent,
  { collection, id, isNew, addTo }: TallyChange,
  { documents, draft }: { readonly documents: TalliedDocuments; readonly draft: Drafting },
): void => {
  const { position } = event
  const before = isNew ? undefined : documents.get(collection, id)
  if (holds(before, event)) return
  const content = draft(before ?? {})
  addTo(content, draft)
  documents.put(collection, id, Object.assign(content, { id, position }), position)
}

/** Creates the copying of objects that are changed in one batch. */
const drafting = (): Drafting => {
  const copies = new WeakMap<object, Draft>()
  return (object) => {
    const known = copies.get(object)
    if (known) return known
    const copy = { ...object }
    copies.set(copy, copy)
    return copy
  }
}
