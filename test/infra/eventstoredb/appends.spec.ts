import { expect } from 'chai'
import fc from 'fast-check'
import type { Append } from '../../../domain/kernel/ports/event-log.ts'
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../../../infra/eventstoredb/errors.ts'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { type Fault, faulty, wellBehaved } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { collect, event, events, fresh, pause, taken } from '../event-log/setting.ts'

const FAULTS: readonly Fault[] = ['dropBefore', 'dropAfter', 'applyLate', 'stallBefore', 'stallAfter', 'notReady']
const LATE_MS = 60
const PATIENT_MS = 5000
const IMPATIENT_MS = 300

describe('An append to EventStoreDB when connections fail', () => {
  let server: TestServer
  let log: EventStoreLog

  before(async () => {
    server = await TestServer.start()
  })
  beforeEach(() => {
    server.misbehave = wellBehaved
    log = opened(PATIENT_MS)
  })
  afterEach(() => log.close())
  after(() => server.stop())

  const opened = (patienceMs: number, attemptMs = 120) =>
    openEventStoreLog({ url: server.url, patienceMs, attemptMs, backoff: { firstMs: 1, mostMs: 10 } })
  /** Result of an append by a log that soon gives up. */
  const impatiently = async (request: Append, patienceMs = IMPATIENT_MS, attemptMs?: number) => {
    const impatient = opened(patienceMs, attemptMs)
    const result = await impatient.append(request).catch((error: unknown) => error)
    await impatient.close()
    return result
  }
  const idsIn = async (stream: string) => (await collect(log.readStream(stream))).map(({ id }) => id)

  /** Prepares an append that takes two claims and releases one, and counts its calls. */
  const prepare = async () => {
    const [stream, first, second, old] = [fresh('contact'), fresh('k'), fresh('k'), fresh('k')]
    taken(await log.append({ stream, expected: -1, events: events(1), take: [{ key: old }] }))
    const take = [{ key: first, note: 'n' }, { key: second }]
    const request: Append = { stream, expected: 0, events: events(2), take, release: [old] }
    return { request, keys: { first, second, old } }
  }

  const callsOf = async () => {
    const { request } = await prepare()
    let calls = 0
    server.misbehave = () => void calls++
    await log.append(request)
    return calls
  }

  for (const fault of FAULTS) {
    it(`is in the log once, with its claims, when any one of its calls meets the fault ${fault}`, async () => {
      const calls = await callsOf()
      expect(calls).to.be.greaterThan(4)
      for (let step = 0; step < calls; step++) {
        server.misbehave = wellBehaved
        const { request, keys } = await prepare()
        let call = 0
        server.misbehave = () => (call++ === step ? fault : undefined)
        const result = taken(await log.append(request))
        await pause(LATE_MS)
        const read = await collect(log.readStream(request.stream))
        expect(read.slice(1).map(({ id }) => id)).to.deep.equal(request.events.map(({ id }) => id))
        expect(result).to.deep.equal({ ok: true, revision: 2, position: read[2]!.position, repeated: false })
        const claim = { key: keys.first, note: 'n', stream: request.stream, revision: 2 }
        expect(await log.claimed(keys.first)).to.deep.equal(claim)
        expect((await log.claimed(keys.second))?.stream).to.equal(request.stream)
        expect(await log.claimed(keys.old)).to.equal(undefined)
      }
    })
  }

  for (const fault of ['dropBefore', 'dropAfter', 'stallBefore', 'stallAfter'] as const) {
    it(`reports an unknown outcome when every attempt meets the fault ${fault}`, async () => {
      const stream = fresh('contact')
      const request = { stream, expected: -1, events: events(2) }
      server.misbehave = faulty(fault, ({ method }) => method === 'append', Number.POSITIVE_INFINITY)
      const error = await impatiently(request)
      expect(error).to.be.instanceOf(AppendOutcomeUnknown)
      expect(error).to.include({ stream })
      expect((error as AppendOutcomeUnknown).eventIds).to.deep.equal(request.events.map(({ id }) => id))
      server.misbehave = wellBehaved
      const applied = fault.endsWith('After')
      expect(await idsIn(stream)).to.have.length(applied ? 2 : 0)
      taken(await log.append(request))
      expect(await idsIn(stream)).to.have.length(2)
    })
  }

  it('keeps its claims when only the later calls fail', async () => {
    const [stream, key] = [fresh('delivery'), fresh('k')]
    let appended = false
    server.misbehave = (call) => {
      appended ||= call.method === 'append' && call.stream === stream
      return appended && call.method === 'read' ? 'stallBefore' : undefined
    }
    const request: Append = { stream, expected: -1, events: events(1), take: [{ key }], repeatable: true }
    expect(await impatiently(request)).to.be.instanceOf(AppendOutcomeUnknown)
    server.misbehave = wellBehaved
    expect((await log.claimed(key))?.stream).to.equal(stream)
    expect(taken(await log.append(request)).repeated).to.equal(true)
  })

  it('says that nothing was appended when the server never had it', async () => {
    const stream = fresh('contact')
    // Long enough to get a definite refusal on a busy machine: an attempt that times out would leave the outcome open.
    const append = () => impatiently({ stream, expected: -1, events: events(1) }, 2400, 1200)
    server.misbehave = faulty('notReady', () => true, Number.POSITIVE_INFINITY)
    expect(await append()).to.be.instanceOf(EventStoreUnavailable)
    await server.stop()
    expect(await append()).to.be.instanceOf(EventStoreUnavailable)
    await server.restart()
    server.misbehave = wellBehaved
    expect(await idsIn(stream)).to.deep.equal([])
  })

  it('waits for a server that is restarted', async () => {
    const stream = fresh('contact')
    let up = 0
    const restarted = server.restart(1300).then(() => {
      up = Date.now()
    })
    const result = taken(await log.append({ stream, expected: -1, events: events(1) }))
    await restarted
    expect(result.revision).to.equal(0)
    // The pauses between attempts are ours, not gRPC's, which begin at a second.
    expect(Date.now() - up).to.be.lessThan(700)
    expect(await idsIn(stream)).to.have.length(1)
  })

  it('is refused when another writer was faster while its connection was lost', async () => {
    const stream = fresh('contact')
    const order: Fault[] = ['dropBefore', 'overtake']
    server.misbehave = ({ method }) => (method === 'append' ? order.shift() : undefined)
    const request = { stream, expected: -1, events: events(1) }
    expect(await log.append(request)).to.deep.equal({ ok: false, conflict: 'revision', actual: 0 })
    expect(await idsIn(stream)).not.to.include(request.events[0]!.id)
  })

  it('completes at any revision when another writer is faster', async () => {
    const stream = fresh('contact')
    server.misbehave = faulty('overtake', (call) => call.stream === stream && call.method === 'append', 3)
    const result = taken(await log.append({ stream, expected: 'any', events: events(1), take: [{ key: stream }] }))
    expect(result.revision).to.equal(3)
    expect(await log.claimed(stream)).to.deep.equal({ key: stream, stream, revision: 3 })
  })

  it('distinguishes a repetition from an append when two writers append the same at once', async () => {
    const stream = fresh('delivery')
    const id = crypto.randomUUID()
    const append = (n: number) => log.append({ stream, expected: 'any', events: [event({ n }, id)], repeatable: true })
    const results = (await Promise.all([append(0), append(1), append(2)])).map(taken)
    expect(await idsIn(stream)).to.deep.equal([id])
    const [kept] = await collect(log.readStream(stream))
    expect(results.map(({ repeated }) => repeated)).to.deep.equal([0, 1, 2].map((n) => n !== kept?.data.n))
  })

  it('keeps its guarantees over random faults, and only streams in the log hold claims', async () => {
    const fault = fc.constantFrom<(Fault | undefined)[]>(undefined, undefined, ...FAULTS, 'overtake')
    const impatient = opened(IMPATIENT_MS)
    const appendAll = (stream: string, ids: readonly string[]) =>
      Promise.allSettled(
        ids.map((id) => impatient.append({ stream, expected: 'any', events: [event({}, id)], take: [{ key: id }] })),
      )
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fault), async (faults) => {
        server.misbehave = ({ method, stream: target = '' }) => {
          const next: Fault | undefined = method === 'append' ? faults.next().value : undefined
          return next === 'overtake' && target.startsWith('~') ? undefined : next
        }
        const stream = fresh('contact')
        const ids = Array.from({ length: 3 }, () => crypto.randomUUID())
        const results = await appendAll(stream, ids)
        server.misbehave = wellBehaved
        // By then no append can be in flight, and its reserved claims count as abandoned.
        await pause(2 * IMPATIENT_MS)
        const held = await idsIn(stream)
        const claims = await Promise.all(ids.map((id) => impatient.claimed(id)))
        results.forEach((result, n) => {
          const times = held.filter((id) => id === ids[n]).length
          if (result.status === 'fulfilled') expect(times).to.equal(result.value.ok ? 1 : 0)
          else if (result.reason instanceof AppendOutcomeUnknown) expect(times).to.be.lessThan(2)
          else expect(times).to.equal(0)
          expect(claims[n]?.stream).to.equal(times === 1 ? stream : undefined)
        })
      }),
      { numRuns: 4 },
    )
    await impatient.close()
  })
})
