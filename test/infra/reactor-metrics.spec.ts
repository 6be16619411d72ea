import { expect } from 'chai'
import { Registry } from 'prom-client'
import { addReactorMetrics } from '../../infra/runtime/reactor-metrics.ts'
import { deadLetter } from '../support/dead-letters.ts'
import { MemoryReactorStore } from '../support/memory/reactor-store.ts'

describe('metrics of background work', () => {
  it('count by reaction, and query the store once for all readers within seconds', async () => {
    const reactorStore = new MemoryReactorStore()
    const { at: _, ...row } = deadLetter({ lane: 'mail:1', position: 1, reaction: 'mail' })
    await reactorStore.write([
      { owed: { ...row, due: 0 } },
      { dead: deadLetter({ lane: 'mail:2', position: 2, reaction: 'mail' }) },
      { dead: deadLetter({ lane: 'mail:2', position: 3, reaction: 'mail' }) },
    ])
    let asked = 0
    const registry = new Registry()
    addReactorMetrics(registry, {
      counts: () => {
        asked++
        return reactorStore.counts()
      },
    })
    const [first, second] = [await registry.metrics(), await registry.metrics()]
    expect(first).to.include('millrace_reactor_owed{reaction="mail"} 1')
    expect(first).to.include('millrace_reactor_dead_letters{reaction="mail"} 2')
    expect(second).to.equal(first)
    expect(asked).to.equal(1)
  })

  it('are left out while the store has never answered, and keep their last values when it fails later', async () => {
    let asked = 0
    const registry = new Registry()
    const reactorStore = {
      counts: async () => {
        if (++asked !== 2) throw new Error('away')
        return { pending: new Map([['mail', 4]]), deadLetters: new Map() }
      },
    }
    addReactorMetrics(registry, reactorStore, 0)
    const owed = async () => /^millrace_reactor_owed\{reaction="mail"\} (\d+)$/m.exec(await registry.metrics())?.[1]
    expect(await owed()).to.equal(undefined)
    while ((await owed()) === undefined);
    const before = asked
    expect(await owed()).to.equal('4')
    expect(asked).to.be.greaterThan(before)
  })

  it('do not wait for a store that does not answer', async () => {
    const registry = new Registry()
    let asked = 0
    const silent = () => {
      asked++
      return new Promise<never>(() => undefined)
    }
    addReactorMetrics(registry, { counts: silent }, 0)
    const begun = performance.now()
    for (let scrape = 0; scrape < 2; scrape++)
      expect(await registry.metrics()).to.include('millrace_reactor_owed gauge')
    expect(performance.now() - begun).to.be.lessThan(5000)
    expect(asked).to.equal(1)
  })
})
