import { expect } from 'chai'
import type { Background } from '../../infra/runtime/background.ts'
import { metricsOf } from '../../infra/runtime/metrics.ts'
import { MemoryReactorStore } from '../support/memory/reactor-store.ts'

describe('metrics of a process', () => {
  /** Metrics of a log whose position grows with each query. */
  const over = (eventStoreUrl: string | undefined) => {
    let asked = 0
    const stores = { log: { lastPosition: async () => ++asked }, reactorStore: new MemoryReactorStore() }
    const registry = metricsOf({ stores, position: 7 } as unknown as Background, { eventStoreUrl })
    const scrape = async () => Number(/^millrace_log_position (\d+)$/m.exec(await registry.metrics())?.[1])
    return { scrape, asked: () => asked }
  }

  it('query a log on a server once for many readers', async () => {
    const { scrape, asked } = over('esdb://log')
    const positions = [await scrape(), await scrape(), ...(await Promise.all([scrape(), scrape()]))]
    expect(positions).to.deep.equal([1, 1, 1, 1])
    expect(asked()).to.equal(1)
  })

  it('are current when the log is embedded, which has its position in memory', async () => {
    const { scrape } = over(undefined)
    expect([await scrape(), await scrape()]).to.deep.equal([1, 2])
  })

  it('leave out values that the log does not have', async () => {
    const log = { lastPosition: () => Promise.reject(new Error('away')) }
    const registry = metricsOf(
      { stores: { log, reactorStore: new MemoryReactorStore() }, position: 7 } as unknown as Background,
      {
        eventStoreUrl: 'esdb://log',
      },
    )
    const text = await registry.metrics()
    expect(text)
      .to.include('millrace_projection_position 7')
      .and.not.match(/^millrace_log_position /m)
  })
})
