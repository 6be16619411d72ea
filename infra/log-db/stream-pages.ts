import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { LogReader } from './reading.ts'

const PAGE = 512

/** Yields the events of a stream in order, up to a position in the whole log. Holds one page in memory. @throws {Error} when one cannot be read */
export function* eventsOfStream(reader: LogReader, stream: string, head: number): Generator<RecordedEvent> {
  for (let from = 0; ; from += PAGE) {
    const page = reader.ofStream(stream, from, Number.MAX_SAFE_INTEGER, head, PAGE, false)
    yield* page
    if (page.length < PAGE) return
  }
}
