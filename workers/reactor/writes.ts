import { isSameWriteAsPrevious, type Write } from '../../domain/kernel/engine/write.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Reaction } from './reaction.ts'

/** Groups events of the log into writes, and remembers which reactions have had an event of the present one. */
export class Writes {
  #last: RecordedEvent | undefined
  readonly #notified = new Set<Reaction>()

  /**
   * Whether this is the first event of its write for a reaction. After a start, when the beginning of a write may be
   * missing, it may be true twice.
   */
  isFirstFor(reaction: Reaction): boolean {
    if (this.#notified.has(reaction)) return false
    this.#notified.add(reaction)
    return true
  }

  /** Yields each event, with all events of its write where the batch is sure to hold them all. */
  *each(batch: readonly RecordedEvent[]): Generator<readonly [event: RecordedEvent, whole: Write | undefined]> {
    for (let from = 0, to = 0; from < batch.length; from = to) {
      for (to = from + 1; to < batch.length && isSameWriteAsPrevious(batch[to - 1]!, batch[to]!); to++);
      const isNew = this.#last !== undefined && !isSameWriteAsPrevious(this.#last, batch[from]!)
      if (isNew) this.#notified.clear()
      const write = batch.slice(from, to)
      for (const event of write) yield [event, isNew && to < batch.length ? write : undefined]
      this.#last = write.at(-1)
    }
  }
}
