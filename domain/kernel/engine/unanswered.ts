import { LRUCache } from 'lru-cache'
import { openEvent } from '../model/personal.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Vault } from '../ports/vault.ts'
import type { NewEvent, RecordedEvent } from '../values/event.ts'
import { streamOf } from '../values/stream-name.ts'
import type { Outcome, Transaction } from './transaction.ts'

/**
 * Appends whose answers did not come. Each may be in the log, or come there late. Whoever repeats its command is given the outcome of the first
 * time, so that nobody decides anew on a state in which the command has been carried out already.
 */
export interface Unanswered {
  /** Notes that the outcome of an append is not known. */
  note(transaction: Transaction, expected: number, events: readonly NewEvent[]): void
  /** Returns the outcome of the first time, if a command may be a repeat and its events are in the log. */
  outcomeOf(transaction: Transaction): Promise<FirstTime | undefined>
  /** Forgets a command whose outcome is known. */
  settle(transaction: Transaction): void
}

/** A command that was carried out although its answer did not come. */
export interface FirstTime {
  readonly outcome: Outcome
  /** Whether the present command is a repeat of it: it names its events or its claim, or nothing has happened in the stream since. Else it may be asked for anew. */
  readonly isCertain: boolean
}

interface UnansweredDeps {
  readonly log: Pick<EventLog, 'readStream'>
  readonly vault: Vault
}

/** What was sent to a stream: the first revision that its events can have, and how many there are, by the id of the first. */
interface Sent {
  readonly from: number
  readonly lengths: ReadonlyMap<string, number>
}

/** Commands that are remembered. Requests of clients never repeat theirs under the same cause: they are displaced. */
const REMEMBERED = 1000

/** Names what a repeat has in common with the first time. Its time and the ids that it minted differ. */
const nameOf = ({ aggregate, id, command, causationId, once, eventIds }: Transaction): string => {
  const { at: _at, actor: _actor, ids: _ids, ...asked } = command
  return JSON.stringify([streamOf(aggregate, id), causationId, once?.key, eventIds?.(0), asked])
}

/** Returns the events of an append that is in a stream, and whether others follow. */
const findSent = async (log: UnansweredDeps['log'], stream: string, { from, lengths }: Sent) => {
  const events: RecordedEvent[] = []
  let length = 0
  for await (const event of log.readStream(stream, { from })) {
    if (length > 0 && events.length === length) return { events, isLast: false }
    if (length === 0) length = lengths.get(event.id) ?? 0
    if (length > 0) events.push(event)
  }
  return events.length > 0 ? { events, isLast: true } : undefined
}

/** Creates an empty memory of unanswered appends. It ends with the process: what a killed one leaves is found by claims and derived ids. */
export const unansweredAppends = ({ log, vault }: UnansweredDeps): Unanswered => {
  const sent = new LRUCache<string, Sent>({ max: REMEMBERED })
  // The attributes that were asked for may be personal, so that only a digest is kept: of the bytes, since that of a text is the same for similar texts.
  const keyOf = (transaction: Transaction) =>
    vault.token('unanswered', Buffer.from(nameOf(transaction)).toString('hex'))
  return {
    note(transaction, expected, events) {
      const [first] = events
      if (!first) return
      const key = keyOf(transaction)
      const before = sent.get(key)
      const from = Math.min(before?.from ?? Number.POSITIVE_INFINITY, expected + 1)
      sent.set(key, { from, lengths: new Map([...(before?.lengths ?? []), [first.id, events.length]]) })
    },
    async outcomeOf(transaction) {
      const noted = sent.size > 0 && sent.get(keyOf(transaction))
      if (!noted) return undefined
      const found = await findSent(log, streamOf(transaction.aggregate, transaction.id), noted)
      if (!found) return undefined
      const { revision, position } = found.events.at(-1)!
      const events = await Promise.all(found.events.map((event) => openEvent(vault, event)))
      const isNamed = transaction.eventIds !== undefined || transaction.once !== undefined
      return { outcome: { revision, position, events }, isCertain: isNamed || found.isLast }
    },
    settle(transaction) {
      if (sent.size > 0) sent.delete(keyOf(transaction))
    },
  }
}
