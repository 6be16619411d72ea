import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { ReadOnlyStore } from '../log-db/open-reader.ts'

type History = ReadOnlyStore['log']

export interface EventRange {
  /** First and last position. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Only this stream. */
  readonly stream: string | undefined
  /** Continue with new events as they happen. */
  readonly follow: boolean
}

const POLL_EVERY_MS = 100

/** Yields new events as they happen, without end. */
async function* following(log: History, after: number): AsyncGenerator<RecordedEvent> {
  for (let position = after; ; await sleep(POLL_EVERY_MS)) {
    for await (const event of log.readAll({ after: position })) {
      yield event
      position = event.position
    }
  }
}

/**
 * Yields the event at a position and the events behind it. Some logs have gaps, so it cannot read from behind `position - 1`. A position behind
 * the end is where a copy goes on later: there is nothing yet.
 */
async function* beginningAt(
  log: History,
  position: number,
  behind: (after: number) => AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent> {
  if (position <= 0) return yield* behind(-1)
  const last = await log.lastPosition()
  if (position > last) return yield* behind(last)
  const first = await log.at(position)
  if (!first) throw new Error(`there is no event at position ${position}: give one that an event has`)
  yield first
  yield* behind(position)
}

/**
 * Yields part of the log unchanged: personal data stays sealed.
 *
 * @throws {Error} when the first position is before the end, and no event is there
 */
export async function* eventsIn(log: History, { from, to, stream, follow }: EventRange): AsyncGenerator<RecordedEvent> {
  const first = from ?? 0
  const events = follow
    ? from === undefined
      ? following(log, await log.lastPosition())
      : beginningAt(log, from, (after) => following(log, after))
    : stream === undefined
      ? beginningAt(log, first, (after) => log.readAll({ after }))
      : log.readStream(stream)
  for await (const event of events) {
    if (to !== undefined && event.position > to) return
    if (event.position >= first && (stream === undefined || event.stream === stream)) yield event
  }
}
