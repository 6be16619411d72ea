import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { DONE } from '../../../workers/reactor/reaction.ts'
import { reaction, settingOfEach, soon } from './setting.ts'

describe('pending work of a reactor for a workspace', () => {
  const setting = settingOfEach()

  const QUIET = { busy: false, due: undefined }

  it('is reported until all of it is done, including events that wait in the log for a slot', async () => {
    let isHeld = true
    let done = 0
    const reactor = await setting().start([
      reaction({
        width: 4,
        async react() {
          while (isHeld) await new Promise((go) => setTimeout(go, 1))
          done++
          return DONE
        },
      }),
    ])
    let last = 0
    for (let n = 0; n < 600; n++) last = await setting().happen('Happened', `a-${n}`, { n }, 5)
    await soon(() => reactor.taken === last)
    expect([reactor.waiting(5), reactor.waiting(6)]).to.deep.equal([{ busy: true, due: undefined }, QUIET])
    isHeld = false
    await soon(() => !reactor.waiting(5).busy, 10_000)
    expect(done).to.equal(600)
  })

  it('is not reported behind a closed concurrency group', async () => {
    const reactor = await setting().start([{ ...reaction({ react: async () => DONE }), limit: () => 0 }])
    let last = 0
    for (let n = 0; n < 300; n++) last = await setting().happen('Happened', `a-${n}`, { n }, 5)
    await soon(() => reactor.taken === last)
    await soon(() => !reactor.waiting(5).busy)
  })

  it('includes the due time of the first scheduled task', async () => {
    const due = Date.now() + 60_000
    const reactor = await setting().start([
      reaction({ react: async ({ data }) => ({ came: 'early', notBefore: due + Number(data.n) }) }),
    ])
    await setting().happen('Happened', 'a-1', { n: 500 }, 5)
    await setting().happen('Happened', 'a-2', { n: 0 }, 5)
    await soon(() => reactor.waiting(5).due === due && !reactor.waiting(5).busy)
    expect(reactor.waiting(6)).to.deep.equal(QUIET)
  })

  it('is a task that is offered, unless its lane has something to do', async () => {
    let isHeld = true
    const seen: unknown[] = []
    const reactor = await setting().start([
      reaction({
        on: [],
        async react({ data }) {
          while (isHeld) await new Promise((go) => setTimeout(go, 1))
          seen.push(data.n)
          return DONE
        },
      }),
    ])
    const position = await setting().happen('Happened', 'a-1', { n: 1 }, 5)
    const event = (await setting().log.at(position)) as RecordedEvent
    await soon(() => reactor.taken === position)
    expect(reactor.offer('nobody', event)).to.equal(false)
    expect([reactor.offer('tested', event), reactor.offer('tested', event)]).to.deep.equal([true, false])
    expect([reactor.waiting(5).busy, reactor.position]).to.deep.equal([true, position])
    isHeld = false
    await soon(() => !reactor.waiting(5).busy)
    expect(seen).to.deep.equal([1])
    expect(reactor.offer('tested', event)).to.equal(true)
    await soon(() => seen.length === 2)
  })
})
