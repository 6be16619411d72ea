import { expect } from 'chai'
import type { ReadStreamOptions } from '../../../domain/kernel/ports/event-log.ts'
import { collect, events, fresh, type Setting, taken } from './setting.ts'

export function reading(setting: Setting): void {
  it('gives nothing for a stream that does not exist', async () => {
    const { log } = setting()
    expect(await collect(log.readStream(fresh('none')))).to.deep.equal([])
    expect(await collect(log.readStream(fresh('none'), { backwards: true }))).to.deep.equal([])
  })

  it('reads a stream both ways, from a revision, up to a limit', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    await log.append({ stream, expected: -1, events: events(10) })
    await log.append({ stream: `${stream}0`, expected: -1, events: events(2) })
    const read = async (options?: ReadStreamOptions) =>
      (await collect(log.readStream(stream, options))).map((each) => each.revision)
    expect(await read()).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await read({ from: 7 })).to.deep.equal([7, 8, 9])
    expect(await read({ from: 3, limit: 2 })).to.deep.equal([3, 4])
    expect(await read({ limit: 0 })).to.deep.equal([])
    expect(await read({ from: 10 })).to.deep.equal([])
    expect(await read({ backwards: true })).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(await read({ backwards: true, limit: 1 })).to.deep.equal([9])
    expect(await read({ backwards: true, from: 2 })).to.deep.equal([2, 1, 0])
    expect(await read({ backwards: true, from: 99, limit: 2 })).to.deep.equal([9, 8])
  })

  it('reads long streams whole, both ways', async () => {
    const { log } = setting()
    const stream = fresh('funnel')
    for (let at = 0; at < 1700; at += 425) await log.append({ stream, expected: at - 1, events: events(425) })
    const forwards = await collect(log.readStream(stream))
    expect(forwards.map((each) => each.revision)).to.deep.equal(Array.from({ length: 1700 }, (_, n) => n))
    const backwards = await collect(log.readStream(stream, { backwards: true }))
    expect(backwards).to.deep.equal(forwards.reverse())
  })

  it('reads all streams in the order of the log, behind a position, up to a limit', async () => {
    const { log } = setting()
    const before = await log.lastPosition()
    const streams = Array.from({ length: 40 }, () => fresh('contact'))
    await Promise.all(streams.map((stream) => log.append({ stream, expected: -1, events: events(30) })))
    const all = await collect(log.readAll({ after: before }))
    expect(all).to.have.length(1200)
    for (let n = 1; n < all.length; n++) expect(all[n]!.position).to.be.greaterThan(all[n - 1]!.position)
    expect(all.at(-1)!.position).to.equal(await log.lastPosition())
    for (const stream of streams) {
      expect(all.filter((each) => each.stream === stream)).to.deep.equal(await collect(log.readStream(stream)))
    }
    const middle = all[599]!.position
    expect(await collect(log.readAll({ after: middle }))).to.deep.equal(all.slice(600))
    expect(await collect(log.readAll({ after: middle, limit: 7 }))).to.deep.equal(all.slice(600, 607))
    expect(await collect(log.readAll({ after: all.at(-1)!.position }))).to.deep.equal([])
  })

  it('can be left in the middle', async () => {
    const { log } = setting()
    const stream = fresh('contact')
    await log.append({ stream, expected: -1, events: events(800) })
    for await (const each of log.readStream(stream)) if (each.revision === 600) break
    for await (const each of log.readAll()) if (each.stream === stream) break
    expect(taken(await log.append({ stream, expected: 799, events: events(1) })).revision).to.equal(800)
  })

  it('gives the last event', async () => {
    const { log } = setting()
    for (let n = 0; n < 3; n++) {
      const stream = fresh('contact')
      const { position } = taken(await log.append({ stream, expected: -1, events: events(2) }))
      expect(await log.newest()).to.deep.equal((await collect(log.readStream(stream)))[1])
      expect((await log.newest())?.position).to.equal(position)
      expect(await log.at(position)).to.deep.equal(await log.newest())
    }
  })

  it('knows the last position', async () => {
    const { log } = setting()
    for (let n = 0; n < 3; n++) {
      const { position } = taken(await log.append({ stream: fresh('contact'), expected: -1, events: events(2) }))
      expect(await log.lastPosition()).to.equal(position)
    }
  })
}
