import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { Claim, ClaimToTake, EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { FINGERPRINT, type KeyStore } from '../vault/key-store.ts'
import { PendingReactorState } from './beside.ts'
import { type ArchiveLine, type Summary, Tally } from './format.ts'
import { InOrder } from './in-order.ts'
import { TaskLimiter } from './under-way.ts'
import { Writes } from './writes.ts'

export interface Target {
  /** Present where claims are stored apart from the events: each claim is then written by itself. */
  readonly log: EventLog & { keepClaim?(claim: Claim): Promise<void> }
  readonly keys: KeyStore
  readonly checkpoints: Checkpoints
  readonly reactorStore: Pick<ReactorStore, 'write'>
}

/** Most writes under way at once. */
const AT_ONCE = 256

/** An archive that does not match the content of the target, or is not complete; the message says where. */
export class TransferError extends Error {}

/** Claims by the event with which they were taken. */
class PendingClaims {
  readonly #byEvent = new Map<string, ClaimToTake[]>()

  add({ stream, revision, ...claim }: Claim): void {
    const eventKey = `${stream} ${revision}`
    this.#byEvent.set(eventKey, [...(this.#byEvent.get(eventKey) ?? []), claim])
  }

  /** Returns the claims taken with the event, each once. */
  takenAt({ stream, revision }: RecordedEvent): readonly ClaimToTake[] {
    const eventKey = `${stream} ${revision}`
    const claims = this.#byEvent.get(eventKey) ?? []
    this.#byEvent.delete(eventKey)
    return claims
  }
}

export interface ImportOptions {
  /** Called with the number of events so far, now and then. */
  readonly onProgress?: (events: number) => void
  /** Called before anything is written to an empty log, or appended to one that holds the beginning of the archive. */
  readonly beforeWriting?: () => MaybePromise<void>
}

/** Returns the events that an interrupted import has left in the target, in order. */
const importedBefore = (log: EventLog): AsyncIterator<RecordedEvent> => log.readAll()[Symbol.asyncIterator]()

const append = async (
  { log }: Target,
  recorded: readonly RecordedEvent[],
  take: readonly ClaimToTake[],
): Promise<number> => {
  const { stream, revision } = recorded[0]!
  const events = recorded.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
  const result = await log.append({ stream, expected: revision - 1, events, take })
  if (result.ok) return result.position
  const reason =
    result.conflict === 'claim'
      ? `the claim ${result.claim.key} is held by ${result.claim.stream}`
      : `the stream is at ${result.actual}`
  throw new TransferError(`event ${revision} of ${stream} cannot be appended: ${reason}`)
}

/**
 * Imports an archive into a log that is empty or holds the beginning of the same archive. Keeps ids, order and metadata, imports claims, keys,
 * checkpoints and the reactor store too, and verifies count and digest at the end. A repeated import continues where an interrupted one ended.
 *
 * @throws {TransferError} when the log holds other events, or the archive is not complete
 */
export const importArchive = async (
  target: Target,
  lines: AsyncIterable<ArchiveLine>,
  { onProgress = () => undefined, beforeWriting = () => undefined }: ImportOptions = {},
): Promise<Summary> => {
  const { keys, checkpoints, reactorStore } = target
  const claims = new PendingClaims()
  const beside = new PendingReactorState()
  const present = importedBefore(target.log)
  const tally = new Tally()
  const inOrder = new InOrder()
  const writes = new Writes()
  const underWay = new TaskLimiter(AT_ONCE)
  let left = await present.next()
  if (left.done) await beforeWriting()

  const send = async (events: readonly RecordedEvent[] | undefined, take: readonly ClaimToTake[] = []) => {
    if (!events) return
    const reportPosition = inOrder.next()
    await underWay.add(
      append(target, events, take).then((position) => {
        reportPosition(position)
        beside.passed(events.at(-1)!.position, position)
      }),
    )
  }

  const take = async (event: RecordedEvent) => {
    const text = tally.add(event)
    if (tally.events % 1000 === 0) onProgress(tally.events)
    if (left.done) {
      await send(writes.add(event, text))
      const taken = claims.takenAt(event)
      // The write ends here: claims are taken with its last event, and its position is that of its last event.
      if (taken.length > 0 || beside.wants(event.position)) await send(writes.end(), taken)
      return
    }
    if (left.value.id !== event.id)
      throw new TransferError(`the log already holds ${left.value.id} where the archive has ${event.id}`)
    claims.takenAt(event)
    beside.passed(event.position, left.value.position)
    left = await present.next()
    if (left.done) await beforeWriting()
  }

  for await (const line of lines) {
    if ('claim' in line) {
      if (target.log.keepClaim) await underWay.add(target.log.keepClaim(line.claim))
      else claims.add(line.claim)
    } else if ('counter' in line) await target.log.counters.raise(line.counter.counter, line.counter.value)
    else if ('key' in line) {
      // Fails first if the master secret is another one: the rest would be useless then.
      if (line.key.subject === FINGERPRINT) await importKey(keys, line.key)
      else await underWay.add(importKey(keys, line.key))
    } else if ('event' in line) await take(line.event)
    else if (!('end' in line)) beside.add(line)
    else {
      await send(writes.end())
      await underWay.done()
      verify(tally.summary(), line.end)
      await beside.write(reactorStore, checkpoints)
      return line.end
    }
  }
  throw new TransferError(`the archive breaks off after ${tally.events} events`)
}

const importKey = async (
  keys: KeyStore,
  { subject, wrapped }: { readonly subject: number; readonly wrapped: string | null },
) => {
  if (wrapped === null) await keys.destroy(subject)
  else {
    const stored = await keys.keep(subject, () => Buffer.from(wrapped, 'base64'))
    if (subject === FINGERPRINT && (stored === 'destroyed' || Buffer.from(stored).toString('base64') !== wrapped)) {
      throw new TransferError('the archive was made under another master secret; give this installation the same one')
    }
  }
}

const verify = (actual: Summary, expected: Summary): void => {
  if (actual.events === expected.events && actual.sha256 === expected.sha256) return
  throw new TransferError(
    `the archive says ${expected.events} events with digest ${expected.sha256}, but holds ${actual.events} with ${actual.sha256}`,
  )
}
