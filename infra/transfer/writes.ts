import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

const MOST_EVENTS = 32
/** Well below what a server takes in one append; characters. */
const MOST_TEXT = 256 * 1024

/** Events of one stream that follow one another, which are one write in the log that they come into. */
export class Writes {
  #events: RecordedEvent[] = []
  #text = 0

  /** The write that is complete before this event comes, if one is. @param text length of the event as text */
  add(event: RecordedEvent, text: number): readonly RecordedEvent[] | undefined {
    const isAnother = this.#events[0]?.stream !== event.stream || this.#text + text > MOST_TEXT
    const complete = isAnother || this.#events.length === MOST_EVENTS ? this.end() : undefined
    this.#events.push(event)
    this.#text += text
    return complete
  }

  /** What has come since the last one was complete, if anything. */
  end(): readonly RecordedEvent[] | undefined {
    const events = this.#events
    this.#events = []
    this.#text = 0
    return events.length > 0 ? events : undefined
  }
}
