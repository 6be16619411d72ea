import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { Claim, ClaimTaken, EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { FINGERPRINT, type KeyStore } from '../vault/key-store.ts'
import { Beside } from './beside.ts'
import { type ArchiveLine, type Summary, Tally } from './format.ts'
import { InOrder } from './in-order.ts'
import { UnderWay } from './under-way.ts'
import { Writes } from './writes.ts'

export interface Target {
  /** Where claims are kept apart from the events, each is put there by itself. */
  readonly log: EventLog & { keepClaim?(claim: Claim): Promise<void> }
  readonly keys: KeyStore
  readonly checkpoints: Checkpoints
  readonly reactorStore: Pick<ReactorStore, 'write'>
}

/** Writes that may be under way at once. */
const AT_ONCE = 256

/** An archive that does not fit what the target holds, or is not whole; the message says where. */
export class TransferError extends Error {}

/** Claims by the place in the log at which they were taken. */
class PendingClaims {
  readonly #byPlace = new Map<string, ClaimTaken[]>()

  add({ stream, revision, ...claim }: Claim): void {
    const place = `${stream} ${revision}`
    this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), claim])
  }

  /** @returns those taken with the event, each once */
  takenAt({ stream, revision }: RecordedEvent): readonly ClaimTaken[] {
    const place = `${stream} ${revision}`
    const claims = this.#byPlace.get(place) ?? []
    this.#byPlace.delete(place)
    return claims
  }
}

/** What an interrupted import has left in the target, event by event in its order. */
const arrived = (log: EventLog): AsyncIterator<RecordedEvent> => log.readAll()[Symbol.asyncIterator]()

const append = async (
  { log }: Target,
  recorded: readonly RecordedEvent[],
  take: readonly ClaimTaken[],
): Promise<number> => {
  const { stream, revision } = recorded[0]!
  const events = recorded.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
  const result = await log.append({ stream, expected: revision - 1, events, take })
  if (result.ok) return result.position
  const why =
    result.conflict === 'claim'
      ? `the claim ${result.claim.key} is held by ${result.claim.stream}`
      : `the stream is at ${result.actual}`
  throw new TransferError(`event ${revision} of ${stream} cannot be appended: ${why}`)
}

/**
 * Puts an archive into a log that is empty or holds the beginning of the same archive: ids, order and metadata are kept, claims, keys,
 * checkpoints and books come along, and count and digest are verified at the end. An interrupted import is repeated and goes on where it ended.
 *
 * @throws {TransferError} when the log holds something else, or the archive is not whole
 */
export const importArchive = async (
  target: Target,
  lines: AsyncIterable<ArchiveLine>,
  onProgress: (events: number) => void = () => undefined,
): Promise<Summary> => {
  const { keys, checkpoints, reactorStore } = target
  const claims = new PendingClaims()
  const beside = new Beside()
  const present = arrived(target.log)
  const tally = new Tally()
  const inOrder = new InOrder()
  const writes = new Writes()
  const underWay = new UnderWay(AT_ONCE)
  let catchingUp = true

  const send = async (events: readonly RecordedEvent[] | undefined, take: readonly ClaimTaken[] = []) => {
    if (!events) return
    const came = inOrder.next()
    await underWay.add(
      append(target, events, take).then((position) => {
        came(position)
        beside.passed(events.at(-1)!.position, position)
      }),
    )
  }

  const take = async (event: RecordedEvent) => {
    const text = tally.add(event)
    if (tally.events % 1000 === 0) onProgress(tally.events)
    const next = catchingUp ? await present.next() : { done: true as const, value: undefined }
    if (next.done) {
      catchingUp = false
      await send(writes.add(event, text))
      const taken = claims.takenAt(event)
      // A claim is taken at its event; and the position of a write is that of its last event.
      if (taken.length > 0 || beside.wants(event.position)) await send(writes.end(), taken)
      return
    }
    if (next.value.id !== event.id)
      throw new TransferError(`the log already holds ${next.value.id} where the archive has ${event.id}`)
    claims.takenAt(event)
    beside.passed(event.position, next.value.position)
  }

  for await (const line of lines) {
    if ('claim' in line) {
      if (target.log.keepClaim) await underWay.add(target.log.keepClaim(line.claim))
      else claims.add(line.claim)
    } else if ('counter' in line) await target.log.counters.raise(line.counter.counter, line.counter.value)
    else if ('key' in line) {
      // Under another secret nothing else is of use.
      if (line.key.subject === FINGERPRINT) await keep(keys, line.key)
      else await underWay.add(keep(keys, line.key))
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

const keep = async (
  keys: KeyStore,
  { subject, wrapped }: { readonly subject: number; readonly wrapped: string | null },
) => {
  if (wrapped === null) await keys.destroy(subject)
  else {
    const held = await keys.keep(subject, () => Buffer.from(wrapped, 'base64'))
    if (subject === FINGERPRINT && (held === 'destroyed' || Buffer.from(held).toString('base64') !== wrapped)) {
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
