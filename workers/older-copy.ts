import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../domain/kernel/ports/reactor-store.ts'
import { isJsonObject, type RecordedEvent } from '../domain/kernel/values/event.ts'
import type { LeftOff } from './left-off.ts'
import { dueIn } from './timers/cause.ts'

/** An older copy of the data that was started. What is left of it to send waits for the operator's word. */
export interface OlderCopy {
  /** Position of its last event; -1: there was no such copy. */
  readonly upTo: number
  /** When it was started, ISO 8601. */
  readonly startedAt: string
  /** Whether no worker begins before the operator's word, so that nothing at all leaves the house. */
  readonly waits?: boolean
}

export const NO_COPY: OlderCopy = { upTo: -1, startedAt: '' }

/** Why something is held. */
export const OLDER_COPY = 'older_copy'

const STORED = 'older-copy'

type CopyStore = Pick<ReactorStore, 'cursor' | 'write'>

interface CopyDeps {
  readonly log: Pick<EventLog, 'lastPosition' | 'at'>
  readonly reactorStore: CopyStore
  readonly leftOff?: LeftOff
}

/** Returns what is stored for data that are a copy and have not been started since: a backup holds it. */
export const markOfCopy = (upTo: number) => ({ cursor: STORED, value: { upTo, startedAt: '', waits: true } })

/** Returns what is known of the data. */
export const storedCopy = async (reactorStore: Pick<ReactorStore, 'cursor'>): Promise<OlderCopy> => {
  const stored = await reactorStore.cursor(STORED)
  if (!isJsonObject(stored)) return NO_COPY
  return {
    upTo: Number(stored.upTo),
    startedAt: String(stored.startedAt),
    ...(stored.waits === true && { waits: true }),
  }
}

const store = async (reactorStore: CopyStore, copy: OlderCopy): Promise<OlderCopy> => {
  await reactorStore.write([{ cursor: STORED, value: { ...copy } }])
  return copy
}

/** Lets the workers of a copy begin. @returns whether they waited */
export const releaseCopy = async (reactorStore: CopyStore): Promise<boolean> => {
  const { waits = false, ...copy } = await storedCopy(reactorStore)
  if (waits) await store(reactorStore, copy)
  return waits
}

/** Says that data up to a position are a copy, from the next start on. */
export const holdCopy = (reactorStore: Pick<ReactorStore, 'write'>, upTo: number) =>
  reactorStore.write([markOfCopy(upTo)])

/** What the end of a log and the note beside it say: an older copy that waits as a whole, one of which mails alone wait, or none. */
const judge = (
  last: RecordedEvent,
  { leftOff, isOld }: { readonly leftOff: LeftOff | undefined; readonly isOld: boolean },
): 'waits' | 'older' | 'none' => {
  const left = leftOff?.read()
  if (left === 'copied') return 'waits'
  if (typeof left === 'object') return last.position < left.position ? 'waits' : 'none'
  if (!isOld) return 'none'
  // On servers there never is a note, and a service that had nothing to do for a while must not stand still after a restart.
  return leftOff ? 'waits' : 'older'
}

/**
 * Finds out whether the data are an older copy. A backup says so itself. Where neither it nor a note says how far they had come, the time does: a service
 * with something to send records something every hour, so a log whose last event is older is a copy of former days, whose original has gone on. The finding
 * is stored, since the next start would not notice any more.
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
  const startedAt = new Date(now).toISOString()
  const stored = await storedCopy(reactorStore)
  if (stored.waits) return stored.startedAt === '' ? store(reactorStore, { ...stored, upTo, startedAt }) : stored
  if (!last) return stored
  const judged = judge(last, { leftOff, isOld: now - Date.parse(last.metadata.at) > copyAfterMs })
  if (judged === 'none') return stored
  return store(reactorStore, { upTo, startedAt, ...(judged === 'waits' && { waits: true }) })
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
