import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

const MOST_EVENTS = 2000
const MOST_BYTES = 4 * 1024 * 1024

interface Batch {
  readonly events: readonly RecordedEvent[]
  readonly bytes: number
}

/** Keeps the events of the last few batches, so that subscribers at the head of the log need not read them from the file. */
export class RecentEvents {
  #batches: Batch[] = []
  #count = 0
  #bytes = 0

  /** @param bytes size of the events in the log, which bounds the memory used here */
  add(events: readonly RecordedEvent[], bytes: number): void {
    this.#batches.push({ events, bytes })
    this.#count += events.length
    this.#bytes += bytes
    while (this.#batches.length > 1 && (this.#count > MOST_EVENTS || this.#bytes > MOST_BYTES)) {
      const oldest = this.#batches.shift()
      this.#count -= oldest?.events.length ?? 0
      this.#bytes -= oldest?.bytes ?? 0
    }
  }

  /** Returns up to `limit` events behind a position; `undefined` when the first of them is no longer in memory. */
  after(position: number, limit: number): readonly RecordedEvent[] | undefined {
    const start = this.#batches.findLastIndex(({ events }) => events[0]!.position <= position + 1)
    const first = this.#batches[start]?.events
    if (!first || first.at(-1)!.position <= position) return undefined
    const offset = position + 1 - first[0]!.position
    if (offset === 0 && start === this.#batches.length - 1 && first.length <= limit) return first
    const found = first.slice(offset, offset + limit)
    for (let next = start + 1; next < this.#batches.length && found.length < limit; next++) {
      found.push(...this.#batches[next]!.events.slice(0, limit - found.length))
    }
    return found
  }
}
