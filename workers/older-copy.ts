import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../domain/kernel/ports/reactor-store.ts'
import { isJsonObject, type RecordedEvent } from '../domain/kernel/values/event.ts'
import { dueIn } from './timers/cause.ts'

/** An older copy of the data that was started. What is left of it to send waits for the operator's word. */
export interface OlderCopy {
  /** Position of its last event; -1: there was no such copy. */
  readonly upTo: number
  /** When it was started, ISO 8601. */
  readonly startedAt: string
}

export const NO_COPY: OlderCopy = { upTo: -1, startedAt: '' }

/** Why something is held. */
export const OLDER_COPY = 'older_copy'

const STORED = 'older-copy'

/** Note beside the log of how far the service had come that wrote to it. */
export interface LeftOff {
  /** Returns the position; `undefined`: there is no note, or it is a copy. */
  read(): number | undefined
  write(position: number): void
}

interface CopyDeps {
  readonly log: EventLog
  readonly reactorStore: Pick<ReactorStore, 'cursor' | 'write'>
  readonly leftOff?: LeftOff
}

/** Whether a log that ends with an event is an older copy. One that ends before the service had left off is. One that does not was left there, however long ago. */
const isOlder = (last: RecordedEvent, leftOff: number | undefined, copyAfterMs: number, now: number): boolean =>
  leftOff === undefined ? now - Date.parse(last.metadata.at) > copyAfterMs : last.position < leftOff

/**
 * Finds out whether the data are an older copy. Where no note says how far they had come, the time does: a service with something to send records something every
 * hour, so a log whose last event is older is a copy of former days, whose original has gone on. The finding is stored, since the next start would not notice any more.
 *
 * @param copyAfterMs time without any event after which data without a note are taken for an older copy
 */
export const findOlderCopy = async (
  { log, reactorStore, leftOff }: CopyDeps,
  copyAfterMs: number,
  now: number,
): Promise<OlderCopy> => {
  const upTo = await log.lastPosition()
  const last = upTo < 0 ? undefined : await log.at(upTo)
  if (last && isOlder(last, leftOff?.read(), copyAfterMs, now)) {
    const startedAt = new Date(now).toISOString()
    await reactorStore.write([{ cursor: STORED, value: { upTo, startedAt } }])
    return { upTo, startedAt }
  }
  const stored = await reactorStore.cursor(STORED)
  return isJsonObject(stored) ? { upTo: Number(stored.upTo), startedAt: String(stored.startedAt) } : NO_COPY
}

/** What of an event says whether it is one of an older copy. */
interface CausedEvent extends Pick<RecordedEvent, 'position'> {
  readonly metadata: Pick<RecordedEvent['metadata'], '$correlationId'>
}

/** Whether an event is one of an older copy, or follows from a timer that had fallen due when the copy was started. */
export const isOfCopy = ({ position, metadata }: CausedEvent, { upTo, startedAt }: OlderCopy): boolean => {
  if (upTo < 0) return false
  if (position <= upTo) return true
  const due = dueIn(metadata.$correlationId)
  return due !== undefined && due <= startedAt
}

const NOTED_EVERY_MS = 5000

/** Notes how far the log has come, at once, every few seconds and at the end. @returns what stops it */
export const notingLeftOff = (
  { log, leftOff }: Pick<CopyDeps, 'log' | 'leftOff'>,
  onFailure: (error: unknown) => void,
) => {
  let noted = -1
  const note = async () => {
    const position = await log.lastPosition()
    if (position === noted) return
    leftOff?.write(position)
    noted = position
  }
  if (leftOff) void note().catch(onFailure)
  const timer = leftOff && setInterval(() => void note().catch(onFailure), NOTED_EVERY_MS)
  return async (): Promise<void> => {
    clearInterval(timer)
    await note().catch(onFailure)
  }
}
