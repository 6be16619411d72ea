import { expect } from 'chai'
import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import { reservationStream } from '../../../infra/eventstoredb/claims/record.ts'
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../../../infra/eventstoredb/errors.ts'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { type Fault, faulty, wellBehaved } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { collect, events, fresh, pause, taken } from '../event-log/setting.ts'

const PATIENT_MS = 3000
const IMPATIENT_MS = 250
/** Well past the age at which reserved claims count as abandoned. */
const LONG_AFTER_MS = 60_000
/** Clock offset by which all claims look as if they had just been reserved. */
const YOUNG = -LONG_AFTER_MS

describe('A claim in EventStoreDB', () => {
  let server: TestServer
  let log: EventStoreLog
  let skew: number

  beforeEach(async () => {
    skew = 0
    server = await TestServer.start()
    log = opened()
  })
  afterEach(async () => {
    server.misbehave = wellBehaved
    await log.close()
    await server.stop()
  })

  const opened = (patienceMs = PATIENT_MS) =>
    openEventStoreLog({
      url: server.url,
      patienceMs,
      backoff: { firstMs: 1, mostMs: 20 },
      now: () => Date.now() + skew,
    })

  /** Leaves an append as a crash of its process would: its claims reserved, the append done or not. */
  const crash = async (stream: string, key: string, fault: Fault, change: 'take' | 'release' = 'take') => {
    const doomed = opened(IMPATIENT_MS)
    server.misbehave = faulty(
      fault,
      (call) => call.method === 'append' && call.stream === stream,
      Number.POSITIVE_INFINITY,
    )
    const claims = change === 'take' ? { take: [{ key }] } : { release: [key] }
    const error = await doomed
      .append({ stream, expected: 'any', events: events(1), ...claims })
      .catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(AppendOutcomeUnknown)
    server.misbehave = wellBehaved
    await doomed.close()
  }

  it('counts as undecided while the append that reserved it may still be under way', async () => {
    const [stream, other, key] = [fresh('a'), fresh('b'), fresh('email')]
    taken(await log.append({ stream, expected: -1, events: events(1) }))
    await crash(stream, key, 'dropBefore')
    skew = YOUNG
    const claim = { key, stream, revision: 1, undecided: true }
    expect(await log.claimed(key)).to.deep.equal(claim)
    const refused = await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] })
    expect(refused).to.deep.equal({ ok: false, conflict: 'claim', claim })
  })

  it('is free within a moment when the append that reserved it was to start a stream and has not arrived', async () => {
    const [stream, other, key, second] = [fresh('a'), fresh('b'), fresh('email'), fresh('email')]
    await crash(stream, key, 'dropBefore')
    skew = YOUNG
    taken(await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] }))
    expect(await log.claimed(key)).to.deep.equal({ key, stream: other, revision: 0 })
    const late = await log
      .append({ stream, expected: -1, events: events(2), take: [{ key: second }] })
      .catch((thrown: unknown) => thrown)
    expect(late).to.be.instanceOf(EventStoreUnavailable)
    expect(await log.claimed(second)).to.equal(undefined)
    expect(await collect(log.readStream(stream))).to.deep.equal([])
  })

  it('is free again when the append that reserved it has not arrived for a long time', async () => {
    const [stream, other, key] = [fresh('a'), fresh('b'), fresh('email')]
    await crash(stream, key, 'dropBefore')
    skew = LONG_AFTER_MS
    expect(await log.claimed(key)).to.equal(undefined)
    taken(await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] }))
    skew = 0
    expect((await log.claimed(key))?.stream).to.equal(other)
  })

  it('can be reserved at once by the stream whose earlier attempt was cut off', async () => {
    const [stream, key] = [fresh('a'), fresh('email')]
    await crash(stream, key, 'dropBefore')
    await crash(stream, key, 'dropBefore')
    taken(await log.append({ stream, expected: -1, events: events(2), take: [{ key, note: 'again' }] }))
    expect(await log.claimed(key)).to.deep.equal({ key, note: 'again', stream, revision: 1 })
  })

  it('belongs to the earlier attempt when that one arrives after all', async () => {
    const [stream, key] = [fresh('a'), fresh('email')]
    await crash(stream, key, 'dropAfter')
    const second = await log.append({ stream, expected: -1, events: events(2), take: [{ key, note: 'second' }] })
    expect(second).to.deep.equal({ ok: false, conflict: 'revision', actual: 0 })
    expect(await log.claimed(key)).to.deep.equal({ key, stream, revision: 0 })
  })

  it('is held when only the answer was lost', async () => {
    const [stream, other, key] = [fresh('a'), fresh('b'), fresh('email')]
    await crash(stream, key, 'dropAfter')
    skew = LONG_AFTER_MS
    expect((await log.claimed(key))?.stream).to.equal(stream)
    expect((await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] })).ok).to.equal(false)
  })

  it('is released by an append whose answer was lost, and not by one that never arrived', async () => {
    for (const [fault, holds] of [
      ['dropAfter', false],
      ['dropBefore', true],
    ] as const) {
      const [stream, key] = [fresh('a'), fresh('email')]
      taken(await log.append({ stream, expected: -1, events: events(1), take: [{ key }] }))
      await crash(stream, key, fault, 'release')
      expect((await log.claimed(key))?.stream).to.equal(holds ? stream : undefined)
      skew = LONG_AFTER_MS
      expect((await log.claimed(key))?.stream).to.equal(holds ? stream : undefined)
      skew = 0
    }
  })

  it('is not lost with the append that could not reserve all it needed', async () => {
    const [holder, stream, busy] = [fresh('a'), fresh('b'), fresh('email')]
    const free = Array.from({ length: 4 }, () => fresh('k'))
    taken(await log.append({ stream: holder, expected: -1, events: events(1), take: [{ key: busy }] }))
    const take = [...free, busy].map((key) => ({ key }))
    const result = await log.append({ stream, expected: -1, events: events(1), take })
    expect(result).to.deep.equal({ ok: false, conflict: 'claim', claim: { key: busy, stream: holder, revision: 0 } })
    for (const key of free) expect(await log.claimed(key)).to.equal(undefined)
  })

  it('changes hands together with others when no event goes with them, or not at all', async () => {
    const [stream, first, second, third] = [fresh('a'), fresh('k'), fresh('k'), fresh('k')]
    const request = { stream, expected: -1, events: [], take: [{ key: first }, { key: second }, { key: third }] }
    server.misbehave = faulty(
      'dropBefore',
      (call) => call.stream?.startsWith('~commit-') ?? false,
      Number.POSITIVE_INFINITY,
    )
    const doomed = opened(IMPATIENT_MS)
    expect(await doomed.append(request).catch((thrown: unknown) => thrown)).to.be.instanceOf(AppendOutcomeUnknown)
    await doomed.close()
    server.misbehave = wellBehaved
    skew = LONG_AFTER_MS
    for (const key of [first, second, third]) expect(await log.claimed(key)).to.equal(undefined)
    skew = 0
    taken(await log.append(request))
    for (const key of [first, second, third]) expect((await log.claimed(key))?.stream).to.equal(stream)
  })

  it('is swept when a crash has left it behind, and only then', async () => {
    const [dead, done, busy, held] = [fresh('dead'), fresh('done'), fresh('busy'), fresh('held')]
    await crash(fresh('a'), dead, 'dropBefore')
    await crash(fresh('b'), done, 'dropAfter')
    taken(await log.append({ stream: fresh('c'), expected: -1, events: events(1), take: [{ key: held }] }))
    expect(await log.sweepClaims(LONG_AFTER_MS / 2)).to.equal(0)
    skew = LONG_AFTER_MS
    expect(await log.sweepClaims(2 * LONG_AFTER_MS)).to.equal(0)
    expect(await log.sweepClaims(LONG_AFTER_MS / 2)).to.equal(1)
    expect(await log.sweepClaims(LONG_AFTER_MS / 2)).to.equal(0)
    skew = YOUNG
    const running = fresh('d')
    taken(await log.append({ stream: running, expected: -1, events: events(1) }))
    await crash(running, busy, 'dropBefore')
    expect(await log.sweepClaims(0)).to.equal(0)
    const holders = await Promise.all(
      [dead, done, busy, held].map(async (key) => (await log.claimed(key)) !== undefined),
    )
    expect(holders).to.deep.equal([false, true, true, true])
  })

  it('is also swept by another process, which continues where the first one stopped', async () => {
    const keys = Array.from({ length: 40 }, () => fresh('k'))
    for (const key of keys)
      taken(await log.append({ stream: fresh('a'), expected: -1, events: events(1), take: [{ key }] }))
    skew = LONG_AFTER_MS
    expect(await log.sweepClaims()).to.equal(0)
    const other = opened()
    const before = server.eventsSent
    expect(await other.sweepClaims()).to.equal(0)
    expect(server.eventsSent - before).to.be.lessThan(keys.length)
    await other.close()
  })

  it('leaves no record behind long after it has expired, and sweeps write nothing when nothing happens', async () => {
    const [timed, lasting, stream] = [fresh('cause'), fresh('email'), fresh('a')]
    const take = [{ key: timed, until: Date.now() + 50 }, { key: lasting }]
    taken(await log.append({ stream, expected: -1, events: events(1), take }))
    skew = LONG_AFTER_MS
    await log.sweepClaims()
    expect(server.store.stream(reservationStream(timed)), 'while it may be asked for').to.not.equal(undefined)
    skew = 32 * 24 * 60 * 60 * 1000
    await log.sweepClaims()
    expect(server.store.stream(reservationStream(timed))).to.equal(undefined)
    expect((await log.claimed(lasting))?.stream).to.equal(stream)
    const written = server.store.events.length
    await log.sweepClaims()
    await log.sweepClaims()
    expect(server.store.events.length).to.equal(written)
    taken(await log.append({ stream: fresh('b'), expected: -1, events: events(1), take: [{ key: timed }] }))
    expect(await log.claimed(timed)).to.include({ key: timed })
  })

  it('has one holder when writers compete for it over failing connections', async () => {
    const logs = [log, opened()]
    const [run, keys] = [fresh('run'), Array.from({ length: 6 }, () => fresh('k'))]
    let call = 0
    server.misbehave = () => (['dropBefore', 'dropAfter', 'notReady'] as const)[call++ % 61]
    const competitors = keys.flatMap((key, k) =>
      Array.from({ length: 6 }, (_, n) => ({ key, stream: `${run}-${k}-${n}` })),
    )
    const results = await Promise.allSettled(
      competitors.map(({ key, stream }, n) =>
        logs[n % 2]!.append({ stream, expected: -1, events: events(1), take: [{ key }] }),
      ),
    )
    server.misbehave = wellBehaved
    skew = LONG_AFTER_MS
    // A competitor that was slow may have been fenced off: its stream is there, without the event.
    const streams = competitors.map(({ stream }) => stream)
    const found = await Promise.all(streams.map((stream) => collect(log.readStream(stream))))
    const isAppended = new Set(streams.filter((_, n) => found[n]!.length > 0))
    for (const key of keys) {
      const holder = (await log.claimed(key))?.stream
      const appended = competitors.filter((each) => each.key === key && isAppended.has(each.stream))
      expect(appended.map(({ stream }) => stream)).to.deep.equal(holder ? [holder] : [])
    }
    competitors.forEach(({ stream }, n) => {
      const result = results[n]!
      if (result.status === 'fulfilled') expect(isAppended.has(stream)).to.equal(result.value.ok)
      else expect(result.reason).to.be.instanceOf(Error)
    })
    expect(results.filter(({ status }) => status === 'fulfilled').length).to.be.greaterThan(competitors.length / 2)
    await logs[1]!.close()
  })

  it('is listed with all others that are held', async () => {
    const expected: Claim[] = []
    for (let n = 0; n < 30; n++) {
      const [stream, key] = [fresh('a'), fresh('k')]
      taken(await log.append({ stream, expected: -1, events: events(1), take: [{ key, note: `${n}` }] }))
      if (n % 3 === 0) taken(await log.append({ stream, expected: 0, events: events(1), release: [key] }))
      else if (n % 3 === 1) taken(await log.append({ stream, expected: 0, events: events(1), take: [{ key }] }))
      if (n % 3 === 1) expected.push({ key, stream, revision: 1 })
      if (n % 3 === 2) expected.push({ key, stream, revision: 0, note: `${n}` })
    }
    const lease = { key: fresh('lease'), until: Date.now() + 1 }
    taken(await log.append({ stream: fresh('a'), expected: -1, events: events(1), take: [lease] }))
    await pause(5)
    const listed: Claim[] = []
    for await (const claim of log.claims()) listed.push(claim)
    expect(listed).to.have.deep.members(expected)
  })
})
