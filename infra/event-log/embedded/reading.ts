import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import type { ReadAllOptions, ReadStreamOptions } from '../../../domain/kernel/ports/event-log.ts'
import type { Tables } from './tables.ts'

/** Events read in one go: one short read transaction, one turn of the event loop. */
const CHUNK = 512

/** A log as its readers see it. */
export interface Readable {
  readonly tables: Tables
  /** Position of the last acknowledged event, behind which nothing is read. */
  head(): number
  /** Revision of the stream's last event, acknowledged or not. */
  revision(stream: string): number
  /** Called before each chunk. @throws {Error} when the log has been closed meanwhile */
  mustBeOpen(): void
}

/** Gives what was acknowledged when the reading began. */
export async function* readStream(
  log: Readable,
  stream: string,
  { backwards = false, from, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
): AsyncGenerator<RecordedEvent> {
  log.mustBeOpen()
  const head = log.head()
  const last = log.revision(stream)
  const step = backwards ? -1 : 1
  let revision = backwards ? Math.min(from ?? last, last) : (from ?? 0)
  let left = limit
  while (left > 0 && revision >= 0 && revision <= last) {
    log.mustBeOpen()
    const chunk: RecordedEvent[] = []
    for (let read = 0; read < CHUNK && chunk.length < left && revision >= 0 && revision <= last; read++) {
      const event = log.tables.eventAt(stream, revision)
      if (event.position <= head) chunk.push(event)
      revision += step
    }
    left -= chunk.length
    for (const event of chunk) yield event
    if (chunk.length === CHUNK) await nextTurn()
  }
}

/** Gives what was acknowledged when the reading began. */
export async function* readAll(
  log: Readable,
  { after = -1, limit = Number.POSITIVE_INFINITY }: ReadAllOptions = {},
): AsyncGenerator<RecordedEvent> {
  log.mustBeOpen()
  const head = log.head()
  let position = after
  let left = limit
  while (left > 0 && position < head) {
    log.mustBeOpen()
    const chunk = log.tables.events(position + 1, head, Math.min(left, CHUNK))
    position += chunk.length
    left -= chunk.length
    for (const event of chunk) yield event
    await nextTurn()
  }
}

/** Lets everyone else have the event loop between two chunks. */
function nextTurn(): Promise<void> {
  return new Promise(setImmediate)
}
