import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { collect, event, events, fresh, type Setting, taken } from './setting.ts'

export function appending(setting: Setting): void {
  it('gives revisions from 0 and ascending positions', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    const first = taken(await log.append({ stream, expected: -1, events: events(3) }))
    const second = taken(await log.append({ stream, expected: 2, events: events(1) }))
    expect([first.revision, second.revision]).to.deep.equal([2, 3])
    expect(second.position).to.be.greaterThan(first.position)
    expect([first.repeated, second.repeated]).to.deep.equal([false, false])
    const recorded = await collect(log.readStream(stream))
    expect(recorded.map((each) => each.revision)).to.deep.equal([0, 1, 2, 3])
    expect(recorded[2]!.position).to.equal(first.position)
    expect(recorded[3]!.position).to.equal(second.position)
  })

  it('returns any JSON as it was appended', async () => {
    const { log } = setting()
    const text = fc.string({ unit: 'grapheme' })
    const data = fc
      .dictionary(text, fc.jsonValue({ stringUnit: 'grapheme' }), { noNullPrototype: true })
      // A log may lose this one name, which no API should accept.
      .filter((each) => !JSON.stringify(each).includes('"__proto__"'))
    await fc.assert(
      fc.asyncProperty(fc.array(data, { maxLength: 4 }), async (datas) => {
        const stream = fresh('json')
        const wanted = datas.map((each) => event(JSON.parse(JSON.stringify(each)) as JsonObject))
        await log.append({ stream, expected: 'any', events: wanted })
        const read = await collect(log.readStream(stream))
        expect(read.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))).to.deep.equal(wanted)
        expect(read.every((each) => each.stream === stream)).to.equal(true)
      }),
      { numRuns: 60 },
    )
  })

  it('refuses a wrong expected revision with the actual one, and keeps nothing of the append', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    const key = fresh('key')
    await log.append({ stream, expected: -1, events: events(2) })
    for (const expected of [-1, 0, 2, 17]) {
      const result = await log.append({ stream, expected, events: events(1), take: [{ key }] })
      expect(result).to.deep.equal({ ok: false, conflict: 'revision', actual: 1 })
    }
    expect(await collect(log.readStream(stream))).to.have.length(2)
    expect(await log.claimed(key)).to.equal(undefined)
  })

  it('reports a missing stream by the revision -1', async () => {
    const { log } = setting()
    const result = await log.append({ stream: fresh('none'), expected: 0, events: events(1) })
    expect(result).to.deep.equal({ ok: false, conflict: 'revision', actual: -1 })
  })

  it('takes any revision when asked to', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    for (const revision of [0, 1, 2]) {
      expect(taken(await log.append({ stream, expected: 'any', events: events(1) })).revision).to.equal(revision)
    }
  })

  it('lets exactly one of many concurrent appends at the same revision win', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => log.append({ stream, expected: -1, events: [event({ n })] })),
    )
    expect(results.filter((result) => result.ok)).to.have.length(1)
    const losers = results.filter((result) => !result.ok)
    for (const loser of losers) expect(loser).to.deep.equal({ ok: false, conflict: 'revision', actual: 0 })
    expect(await collect(log.readStream(stream))).to.have.length(1)
  })

  it('never interleaves the events of concurrent appends to one stream', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    const batches = Array.from({ length: 12 }, (_, batch) => [0, 1, 2].map((n) => event({ batch, n })))
    await Promise.all(batches.map((batch) => log.append({ stream, expected: 'any', events: batch })))
    const read = await collect(log.readStream(stream))
    expect(read).to.have.length(36)
    for (let at = 0; at < read.length; at += 3) {
      const { batch } = read[at]!.data
      expect(read.slice(at, at + 3).map(({ data }) => data)).to.deep.equal([0, 1, 2].map((n) => ({ batch, n })))
    }
  })

  it('answers a repeated append with its earlier result, for any expected revision', async () => {
    const { log } = setting()
    const stream = fresh('delivery')
    const request = { stream, events: events(2), repeatable: true }
    const first = taken(await log.append({ ...request, expected: -1 }))
    await log.append({ stream, expected: 1, events: events(1) })
    for (const expected of [-1, 1, 'any'] as const) {
      expect(await log.append({ ...request, expected })).to.deep.equal({ ...first, repeated: true })
    }
    expect(await collect(log.readStream(stream))).to.have.length(3)
  })

  it('appends a repeatable append once when it is sent many times at once', async () => {
    const { log } = setting()
    const stream = fresh('delivery')
    const request = { stream, expected: 'any' as const, events: events(2), repeatable: true }
    const results = (await Promise.all(Array.from({ length: 8 }, () => log.append(request)))).map(taken)
    expect(new Set(results.map((result) => result.position)).size).to.equal(1)
    expect(await collect(log.readStream(stream))).to.have.length(2)
  })

  it('takes the same event ids in another stream', async () => {
    const { log } = setting()
    const request = { expected: -1, events: events(1), repeatable: true }
    taken(await log.append({ ...request, stream: fresh('a') }))
    expect(taken(await log.append({ ...request, stream: fresh('b') })).repeated).to.equal(false)
  })

  it('keeps everything when it is opened again', async () => {
    const { log, reopen } = setting()
    const stream = fresh('contact')
    const key = fresh('key')
    const repeatable = { stream: fresh('delivery'), expected: 'any' as const, events: events(1), repeatable: true }
    await log.append({ stream, expected: -1, events: events(5), take: [{ key, note: 'kept' }] })
    taken(await log.append(repeatable))
    const before = await collect(log.readStream(stream))
    const last = await log.lastPosition()
    const again = await reopen()
    expect(await collect(again.readStream(stream))).to.deep.equal(before)
    expect(await again.lastPosition()).to.equal(last)
    expect(await again.claimed(key)).to.deep.equal({ key, note: 'kept', stream, revision: 4 })
    expect(taken(await again.append(repeatable)).repeated).to.equal(true)
    expect(taken(await again.append({ stream, expected: 4, events: events(1) })).position).to.be.greaterThan(last)
  })
}
