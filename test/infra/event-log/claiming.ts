import { expect } from 'chai'
import { collect, event, events, fresh, pause, type Setting, taken } from './setting.ts'

export function claiming(setting: Setting): void {
  it('takes a claim with an append and tells who holds it', async () => {
    const { log } = setting()
    const [stream, key, timed] = [fresh('contact'), fresh('email'), fresh('lease')]
    const later = Date.now() + 60_000
    await log.append({
      stream,
      expected: -1,
      events: events(2),
      take: [
        { key, note: 'x' },
        { key: timed, until: later },
      ],
    })
    expect(await log.claimed(key)).to.deep.equal({ key, note: 'x', stream, revision: 1 })
    expect(await log.claimed(timed)).to.deep.equal({ key: timed, until: later, stream, revision: 1 })
    expect(await log.claimed(fresh('email'))).to.equal(undefined)
  })

  it('refuses a claim that another stream holds, and keeps nothing of the append', async () => {
    const { log } = setting()
    const [holder, other, key, free] = [fresh('a'), fresh('b'), fresh('email'), fresh('email')]
    await log.append({ stream: holder, expected: -1, events: events(1), take: [{ key, note: 'mine' }] })
    const result = await log.append({ stream: other, expected: -1, events: events(2), take: [{ key: free }, { key }] })
    const claim = { key, note: 'mine', stream: holder, revision: 0 }
    expect(result).to.deep.equal({ ok: false, conflict: 'claim', claim })
    expect(await collect(log.readStream(other))).to.deep.equal([])
    expect(await log.claimed(free)).to.equal(undefined)
    expect(await log.claimed(key)).to.deep.equal(claim)
    taken(await log.append({ stream: other, expected: -1, events: events(1) }))
  })

  it('lets exactly one of many concurrent streams take a claim', async () => {
    const { log } = setting()
    const key = fresh('email')
    const streams = Array.from({ length: 20 }, () => fresh('contact'))
    const results = await Promise.all(
      streams.map((stream) => log.append({ stream, expected: -1, events: events(1), take: [{ key }] })),
    )
    const winners = streams.filter((_, n) => results[n]!.ok)
    expect(winners).to.have.length(1)
    expect((await log.claimed(key))?.stream).to.equal(winners[0])
    const written = await Promise.all(streams.map((stream) => collect(log.readStream(stream))))
    expect(written.flat()).to.have.length(1)
  })

  it('gives a claim back, and only for its holder', async () => {
    const { log } = setting()
    const [holder, other, key] = [fresh('a'), fresh('b'), fresh('email')]
    await log.append({ stream: holder, expected: -1, events: events(1), take: [{ key }] })
    taken(await log.append({ stream: other, expected: -1, events: events(1), release: [key] }))
    expect((await log.claimed(key))?.stream).to.equal(holder)
    taken(await log.append({ stream: holder, expected: 0, events: events(1), release: [key, fresh('never held')] }))
    expect(await log.claimed(key)).to.equal(undefined)
    taken(await log.append({ stream: other, expected: 0, events: events(1), take: [{ key }] }))
    expect((await log.claimed(key))?.stream).to.equal(other)
  })

  it('renews a claim for its holder', async () => {
    const { log } = setting()
    const [stream, key] = [fresh('a'), fresh('email')]
    await log.append({ stream, expected: -1, events: events(1), take: [{ key, note: 'old' }] })
    taken(await log.append({ stream, expected: 0, events: events(1), take: [{ key, note: 'new' }], release: [key] }))
    expect(await log.claimed(key)).to.deep.equal({ key, note: 'new', stream, revision: 1 })
  })

  it('treats an expired claim as free', async () => {
    const { log } = setting()
    const [holder, other, key] = [fresh('a'), fresh('b'), fresh('lease')]
    await log.append({ stream: holder, expected: -1, events: events(1), take: [{ key, until: Date.now() + 750 }] })
    const early = await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] })
    expect(early.ok).to.equal(false)
    await pause(800)
    expect(await log.claimed(key)).to.equal(undefined)
    taken(await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] }))
    taken(await log.append({ stream: holder, expected: 0, events: events(1), release: [key] }))
    expect((await log.claimed(key))?.stream).to.equal(other)
  })

  it('changes claims without an event', async () => {
    const { log } = setting()
    const [stream, key] = [fresh('a'), fresh('email')]
    const { position } = taken(await log.append({ stream: fresh('before'), expected: -1, events: events(1) }))
    const bare = taken(await log.append({ stream, expected: -1, events: [], take: [{ key }] }))
    expect(bare).to.deep.equal({ ok: true, revision: -1, position, repeated: false })
    expect(await log.claimed(key)).to.deep.equal({ key, stream, revision: -1 })
    const conflict = await log.append({ stream, expected: 0, events: [], release: [key] })
    expect(conflict).to.deep.equal({ ok: false, conflict: 'revision', actual: -1 })
    taken(await log.append({ stream, expected: -1, events: [], release: [key] }))
    expect(await log.claimed(key)).to.equal(undefined)
    expect(await collect(log.readStream(stream))).to.deep.equal([])
    expect(await log.lastPosition()).to.equal(position)
  })

  it('does not take its claims again for a repeated append', async () => {
    const { log } = setting()
    const [stream, other, key] = [fresh('a'), fresh('b'), fresh('email')]
    const request = { stream, expected: 'any' as const, events: [event()], take: [{ key }], repeatable: true }
    taken(await log.append(request))
    taken(await log.append({ stream, expected: 0, events: events(1), release: [key] }))
    taken(await log.append({ stream: other, expected: -1, events: events(1), take: [{ key }] }))
    expect(taken(await log.append(request)).repeated).to.equal(true)
    expect((await log.claimed(key))?.stream).to.equal(other)
  })

  it('takes keys of any length and any characters', async () => {
    const { log } = setting()
    const stem = fresh(`https://example.com/${'ä'.repeat(3000)}?x=\u0000\u0001 `)
    for (const key of [`${stem}a`, `${stem}b`]) {
      const stream = fresh('page')
      taken(await log.append({ stream, expected: -1, events: events(1), take: [{ key }] }))
      expect((await log.claimed(key))?.stream).to.equal(stream)
    }
  })
}
