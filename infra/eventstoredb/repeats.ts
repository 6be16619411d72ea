import { LRUCache } from 'lru-cache'
import type { NewEvent, RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Caller } from './caller.ts'
import { readRaw, readStream } from './stream-reading.ts'
import { positionOf } from './wire/codec.ts'

const IDS_IN_MEMORY = 200_000

/** Part of a stream that has been read so far. */
interface KnownStream {
  /** Revision of the last event, or -1. */
  readonly through: number
  readonly ids: Map<string, { readonly revision: number; readonly position: number }>
}

export interface Search {
  /** Revision of the last event of the stream, or -1. */
  readonly last: number
  /** Locations of those ids that the stream holds. */
  readonly found: readonly { readonly revision: number; readonly position: number }[]
}

/**
 * Looks for event ids in streams. EventStoreDB has no index of ids, so the stream is read: once as a whole, and after that only its new events.
 * Streams of aggregates are short, and only repeatable appends need the search.
 */
export class Repeats {
  readonly #caller: Caller
  readonly #streams = new LRUCache<string, KnownStream>({
    maxSize: IDS_IN_MEMORY,
    sizeCalculation: ({ ids }) => ids.size + 1,
  })

  constructor(caller: Caller) {
    this.#caller = caller
  }

  async search(stream: string, events: readonly NewEvent[]): Promise<Search> {
    const known = await this.#catchUp(stream)
    const found = events.map((event) => known.ids.get(event.id)).filter((location) => location !== undefined)
    return { last: known.through, found }
  }

  /**
   * Whether a successful append was in fact that of another writer, made with the same ids at the same time: the server answers both alike. The
   * recorded events show it. If they are equal too, it does not matter which writer it was.
   */
  async isFromAnotherWriter(stream: string, revision: number, events: readonly NewEvent[]): Promise<boolean> {
    const from = revision - events.length + 1
    const stored: RecordedEvent[] = []
    for await (const event of readStream(this.#caller, stream, { from, limit: events.length })) stored.push(event)
    return content(stored) !== content(events)
  }

  async #catchUp(stream: string): Promise<KnownStream> {
    const { through: before = -1, ids = new Map() } = this.#streams.get(stream) ?? {}
    let through = before
    for await (const raw of readRaw(this.#caller, stream, { from: before + 1 })) {
      through = Number(raw.revision)
      ids.set(raw.id, { revision: through, position: positionOf(raw) })
    }
    const known: KnownStream = { through, ids }
    this.#streams.set(stream, known)
    return known
  }
}

function content(events: readonly NewEvent[]): string {
  return JSON.stringify(events.map(({ id, type, data, metadata }) => [id, type, data, metadata]))
}
