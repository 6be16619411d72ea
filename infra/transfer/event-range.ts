import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { ReadOnlyStore } from '../event-log/sqlite/open-reader.ts'

type History = ReadOnlyStore['log']

export interface EventRange {
  /** First and last position wanted. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Only this stream. */
  readonly stream: string | undefined
  /** Go on with what happens from now on. */
  readonly follow: boolean
}

const LOOK_EVERY_MS = 100

/** Events as they happen, for ever. */
async function* following(log: History, after: number): AsyncGenerator<RecordedEvent> {
  for (let position = after; ; await sleep(LOOK_EVERY_MS)) {
    for await (const event of log.readAll({ after: position })) {
      yield event
      position = event.position
    }
  }
}

/** The wanted part of the log, as the log has it: personal data stays sealed. */
export async function* eventsIn(log: History, { from, to, stream, follow }: EventRange): AsyncGenerator<RecordedEvent> {
  const after = (from ?? 0) - 1
  const events = follow
    ? following(log, from === undefined ? await log.lastPosition() : after)
    : stream === undefined
      ? log.readAll({ after })
      : log.readStream(stream)
  for await (const event of events) {
    if (to !== undefined && event.position > to) return
    if (event.position > after && (stream === undefined || event.stream === stream)) yield event
  }
}
