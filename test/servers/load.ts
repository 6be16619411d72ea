import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, Ledger, Target, Write } from '../reliability/ledger.ts'
import { nextWrite, type OwnRecords, type Setting } from '../reliability/writers.ts'
import { type Random, random } from '../support/random.ts'

/** Clients that keep writing during faults of the service. */
export interface Load {
  /** All writes sent so far. */
  readonly ledger: Ledger
  /** Answers that no fault explains, one sentence each. A client may only get a success or 503. */
  readonly odd: readonly string[]
  /** Number of requests to which an acknowledged record was not yet known, as itself (404) or as a reference (422), because documents lag behind. */
  readonly unknownYet: number
  /** Milliseconds until a write that starts now is acknowledged, with retries. */
  untilServed(): Promise<number>
  /** Waits until each client has finished its last write. @returns all writes */
  stop(): Promise<Ledger>
}

type Outcome = { readonly id: number } | 'later' | 'unknown yet' | 'unknown'

const ANSWERED_WITHIN_MS = 15_000
const AGAIN_MS = 100
/** Average pause between two writes of a client: a load that the stores can handle, so that the cost of a fault shows. */
const PAUSE_MS = 150

/** Sends a write once. A status below 300 acknowledges it. */
const sendOnce = async (target: Target, write: Write, odd: string[], withinMs: number): Promise<Outcome> => {
  const { method, path, body, key } = write
  const headers = {
    authorization: `Bearer ${target.token}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  let status: number
  let text: string
  try {
    const signal = AbortSignal.timeout(withinMs)
    const response = await fetch(`${target.url}/api/v2${path}`, { method, headers, body: JSON.stringify(body), signal })
    status = response.status
    text = await response.text()
  } catch {
    return 'unknown'
  }
  if (status === 200 || status === 201) return { id: Number((JSON.parse(text) as { id: number }).id) }
  if (status === 503) return 'later'
  const isUnknown = status === 404 ? write.on !== undefined : status === 422 && text.includes('"not_found"')
  if (isUnknown) return 'unknown yet'
  odd.push(`${method} ${path} ${write.mark} was answered ${status} ${text}`)
  return 'unknown'
}

export const startLoad = (target: Target, setting: Setting, count: number, chance: Random): Load => {
  const ledger: Entry[] = []
  const odd: string[] = []
  let isOver = false
  let unknownYet = 0

  /** Sends a write with a key until it is acknowledged. A write without a key is given up when its outcome is unknown. */
  const carryOut = async (write: Write): Promise<Entry> => {
    for (;;) {
      const outcome = await sendOnce(target, write, odd, ANSWERED_WITHIN_MS)
      if (typeof outcome === 'object') return { ...write, id: outcome.id }
      if (outcome === 'unknown yet') unknownYet++
      await sleep(AGAIN_MS)
      if (write.key === undefined || isOver) return write
    }
  }
  const writeOn = async (name: string, own: Random): Promise<void> => {
    const held: OwnRecords = { contactIds: [], opportunityIds: [], tagged: new Set() }
    for (let number = 0; !isOver; number++) {
      const mark = `${name}-${number}`
      const write = nextWrite(target, setting, held, mark, own)
      const entry = await carryOut(own.below(2) === 0 ? write : { ...write, key: `key ${mark}` })
      ledger.push(entry)
      await sleep(own.below(2 * PAUSE_MS))
      if (entry.id === undefined) continue
      if (entry.kind === 'contact') held.contactIds.push(entry.id)
      if (entry.kind === 'opportunity') held.opportunityIds.push(entry.id)
    }
  }
  const writers = Array.from({ length: count }, (_, number) => writeOn(`w${number}`, random(chance.below(2 ** 31))))

  let probes = 0
  const untilServed = async (): Promise<number> => {
    const begun = performance.now()
    const mark = `probe-${++probes}`
    const path = `/workspaces/${target.workspaceId}/contacts`
    const body = { contact: { email_address: `${mark}@example.com`, first_name: mark } }
    const write: Write = { mark, kind: 'contact', method: 'POST', path, body, key: `key ${mark}` }
    for (; performance.now() - begun < 60_000; await sleep(20)) {
      const outcome = await sendOnce(target, write, odd, 5000)
      if (typeof outcome !== 'object') continue
      ledger.push({ ...write, id: outcome.id })
      return performance.now() - begun
    }
    throw new Error('no write was acknowledged for a minute after a fault')
  }
  return {
    ledger,
    odd,
    get unknownYet() {
      return unknownYet
    },
    untilServed,
    async stop() {
      isOver = true
      await Promise.all(writers)
      return ledger
    },
  }
}
