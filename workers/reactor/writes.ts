import { continues, type Write } from '../../domain/kernel/engine/write.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Reaction } from './reaction.ts'

/** Cuts events as they come into what was appended together, and knows who has had a part of it. */
export class Writes {
  #last: RecordedEvent | undefined
  readonly #told = new Set<Reaction>()

  /** Whether this is the first event of its write that a reaction is told of. Without the beginning of a write, as after a start, it may say so twice. */
  isFirstFor(reaction: Reaction): boolean {
    if (this.#told.has(reaction)) return false
    this.#told.add(reaction)
    return true
  }

  /** Goes through events as they come; each with those that were appended together with it, where all of them are among these. */
  *each(batch: readonly RecordedEvent[]): Generator<readonly [event: RecordedEvent, whole: Write | undefined]> {
    for (let from = 0, to = 0; from < batch.length; from = to) {
      for (to = from + 1; to < batch.length && continues(batch[to - 1]!, batch[to]!); to++);
      const isNew = this.#last !== undefined && !continues(this.#last, batch[from]!)
      if (isNew) this.#told.clear()
      const write = batch.slice(from, to)
      for (const event of write) yield [event, isNew && to < batch.length ? write : undefined]
      this.#last = write.at(-1)
    }
  }
}
