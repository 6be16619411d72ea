import { expect } from 'chai'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { openIds } from '../../infra/runtime/ids.ts'

/** The part of a log that leases id numbers. Each lease is asynchronous. */
const leasing = () => {
  const sizes: number[] = []
  let last = 0
  const counters = {
    leased: true,
    async take(_: string, size: number) {
      await Promise.resolve()
      sizes.push(size)
      last += size
      return last - size + 1
    },
  }
  return { sizes, log: { counters, newest: async () => undefined } as unknown as EventLog }
}

const open = (log: EventLog) => openIds({ log, counted: new Set(['line']), node: () => 0, now: () => Date.now() })

describe('ids where numbers are leased', () => {
  it('are as many as one command needs, also more than one lease', async () => {
    const { log } = leasing()
    const ids = await open(log)
    const draw = () => withIds(ids, () => Array.from({ length: 300 }, () => ids.next('line')))
    const drawn = (await Promise.all([draw(), draw(), draw()])).flat()
    expect(new Set(drawn).size).to.equal(900)
  })

  it('are leased a block at a time where few are needed', async () => {
    const { log, sizes } = leasing()
    const ids = await open(log)
    for (let n = 0; n < 100; n++) await withIds(ids, () => ids.next('line'))
    expect(new Set(sizes)).to.deep.equal(new Set([64]))
  })

  it('are leased in one call for all commands that need them at the same moment', async () => {
    const { log, sizes } = leasing()
    const ids = await open(log)
    const drawn = await Promise.all(Array.from({ length: 1000 }, () => withIds(ids, () => ids.next('line'))))
    expect(new Set(drawn).size).to.equal(1000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(2000)
  })
})
