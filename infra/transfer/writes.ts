import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

const MOST_EVENTS = 32
/** Well below what a server takes in one append; characters. */
const MOST_TEXT = 256 * 1024

/** Groups consecutive events of one stream into writes to the target log. */
export class Writes {
  #events: RecordedEvent[] = []
  #text = 0

  /** Adds an event. @returns the write that is complete before it, if there is one. @param text length of the event as text */
  add(event: RecordedEvent, text: number): readonly RecordedEvent[] | undefined {
    const isAnother = this.#events[0]?.stream !== event.stream || this.#text + text > MOST_TEXT
    const complete = isAnother || this.#events.length === MOST_EVENTS ? this.end() : undefined
    this.#events.push(event)
    this.#text += text
    return complete
  }

  /** Returns the events since the last complete write, if there are any. */
  end(): readonly RecordedEvent[] | undefined {
    const events = this.#events
    this.#events = []
    this.#text = 0
    return events.length > 0 ? events : undefined
  }
}
