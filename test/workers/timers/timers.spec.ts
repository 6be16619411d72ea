import { expect } from 'chai'
import { soon } from '../reactor/setting.ts'
import { isoAt, openTower, type Tower } from './setting.ts'

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('timers', () => {
  let tower: Tower

  beforeEach(async () => {
    tower = await openTower()
  })
  afterEach(async () => {
    await tower.close()
    expect(tower.failures).to.deep.equal([])
  })

  const rung = (id: number, times: readonly number[]) =>
    soon(async () => JSON.stringify(await tower.rings(id)) === JSON.stringify(times))

  it('fire when they are due and not before, stamped with the time', async () => {
    await tower.ask('create', 1, { rings_at: isoAt(1000) })
    await tower.start()
    tower.moveTo(999)
    await pause(50)
    expect(await tower.rings(1)).to.deep.equal([])
    tower.moveTo(1003)
    await rung(1, [1003])
    tower.moveTo(5000)
    await pause(50)
    expect(await tower.rings(1)).to.deep.equal([1003])
  })

  it('are moved and cancelled by what happens to the record', async () => {
    await tower.start()
    for (const id of [1, 2, 3, 4]) await tower.ask('create', id, { rings_at: isoAt(1000) })
    await tower.ask('change', 1, { rings_at: isoAt(3000) })
    await tower.ask('change', 2, { rings_at: null })
    await tower.ask('remove', 3)
    tower.moveTo(2000)
    await rung(4, [2000])
    await pause(50)
    for (const id of [1, 2, 3]) expect(await tower.rings(id), `bell ${id}`).to.deep.equal([])
    tower.moveTo(3000)
    await rung(1, [3000])
  })

  it('fire at once for a record that is due when it is created or changed', async () => {
    await tower.start()
    tower.moveTo(2000)
    await tower.ask('create', 1, { rings_at: isoAt(1000) })
    await tower.ask('create', 2, { rings_at: isoAt(9000) })
    await tower.ask('change', 2, { rings_at: isoAt(500) })
    await rung(1, [2000])
    await rung(2, [2000])
  })

  it('fire as often as they were due in the meantime, one after the other', async () => {
    await tower.ask('create', 1, { rings_at: isoAt(1000), every: 1000 })
    tower.moveTo(3500)
    await tower.start()
    await rung(1, [3500, 3500, 3500])
  })

  it('are recorded once when they are refused, and wait for the record to change', async () => {
    await tower.start()
    const moods = ['refuses', 'deaf', 'cracks'].entries()
    for (const [id, mood] of moods) await tower.ask('create', id + 1, { rings_at: isoAt(1000), mood })
    tower.moveTo(1000)
    await soon(async () => (await tower.refusals()).length >= 3)
    const before = await tower.log.lastPosition()
    for (let look = 0; look < 5; look++) {
      tower.moveTo(1100 + look)
      await pause(10)
    }
    const reasons = await tower.refusals()
    expect([...new Set(reasons)].toSorted()).to.deep.equal([
      'bell 1: ring: It does not want to ring',
      'bell 2: ring: it is due still',
      'bell 3: ring: it is due still',
    ])
    expect(await tower.log.lastPosition()).to.equal(before)
    await tower.ask('change', 1, { mood: 'good' })
    await rung(1, [1104])
  })

  it('fire once, also with two processes at once or one after the other', async () => {
    const count = 40
    for (let id = 1; id <= count; id++) await tower.ask('create', id, { rings_at: isoAt(1000) })
    const [one, other] = [await tower.start(), await tower.start()]
    tower.moveTo(1000)
    for (let id = 1; id <= count; id++) await rung(id, [1000])
    await one.stop()
    await other.stop()
    await tower.start()
    tower.moveTo(2000)
    await pause(50)
    for (let id = 1; id <= count; id++) expect(await tower.rings(id)).to.deep.equal([1000])
  })

  it('go on where a process has stopped', async () => {
    await tower.ask('create', 1, { rings_at: isoAt(1000) })
    await (await tower.start()).stop()
    tower.moveTo(1000)
    expect(await tower.rings(1)).to.deep.equal([])
    await tower.start()
    await rung(1, [1000])
  })

  it('are dead-lettered like any reaction when they fail, and block no other', async () => {
    await tower.start()
    await tower.ask('create', 1, { rings_at: isoAt(1000), mood: 'broken' })
    await tower.ask('create', 2, { rings_at: isoAt(1000) })
    tower.moveTo(1000)
    await rung(2, [1000])
    await soon(async () => (await tower.reactorStore.deadLetters({ limit: 9 })).length === 1)
    const [letter] = await tower.reactorStore.deadLetters({ limit: 9 })
    expect(letter).to.deep.include({ reaction: 'timers', lane: 'timers:bell-1', attempts: 10 })
    tower.moveTo(1100)
    await pause(50)
    expect((await tower.reactorStore.counts()).pending.size).to.equal(0)
    await tower.ask('change', 1, { mood: 'good' })
    await rung(1, [1100])
  })

  it('all fire when there are more than are handed over at a time', async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => index + 1)
    await Promise.all(ids.map((id) => tower.ask('create', id, { rings_at: isoAt(1000) })))
    tower.moveTo(1000)
    await tower.start()
    await soon(async () => (await tower.live.find('bell', { where: { rung: 1 } })).length === ids.length, 10_000)
    expect((await Promise.all(ids.map(tower.rings))).every((times) => times.length === 1)).to.equal(true)
  })

  it('of one workspace do not wait for the many of another that were due before', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => index + 1)
    await Promise.all(many.map((id) => tower.ask('create', id, { rings_at: isoAt(1000) })))
    await tower.ask('create', 9001, { rings_at: isoAt(2000) }, 8)
    const { reactor } = await tower.start()
    const head = await tower.log.lastPosition()
    await soon(() => reactor.position >= head, 30_000)
    tower.moveTo(3000)
    await soon(async () => (await tower.rings(9001)).length > 0, 30_000)
    const before: string[] = []
    for await (const { type, stream } of tower.log.readAll()) {
      if (stream === 'bell-9001' && type === 'BellRung') break
      if (type === 'BellRung') before.push(stream)
    }
    expect(before.length).to.be.lessThan(1500)
    await soon(async () => (await tower.live.find('bell', { where: { rung: 1 } })).length === many.length + 1, 30_000)
  })

  it('are those of children too, in the stream of their parent', async () => {
    await tower.ask('create', 1, { rings_at: isoAt(2000) })
    for (const [clapper, due] of [isoAt(1000), isoAt(1500)].entries())
      await tower.ask('create', 1, { swings_at: due }, 7, clapper + 5)
    await tower.start()
    tower.moveTo(1000)
    const swung = (id: number) => tower.live.get('clapper', id)?.swung_at
    await soon(() => swung(5) === isoAt(1000))
    expect([swung(6), await tower.rings(1)]).to.deep.equal([null, []])
    tower.moveTo(2000)
    await soon(() => swung(6) === isoAt(2000))
    await rung(1, [2000])
  })

  it('follow the clock of their workspace', async () => {
    await tower.ask('create', 1, { rings_at: isoAt(10_000) }, 7)
    await tower.ask('create', 2, { rings_at: isoAt(10_000) }, 8)
    await tower.start()
    tower.ahead.set(8, 9500)
    tower.moveTo(400)
    await pause(50)
    expect(await tower.rings(2)).to.deep.equal([])
    tower.moveTo(600)
    await rung(2, [10_100])
    expect(await tower.rings(1)).to.deep.equal([])
  })
})
