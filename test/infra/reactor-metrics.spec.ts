import { expect } from 'chai'
import { Registry } from 'prom-client'
import { addReactorMetrics } from '../../infra/runtime/reactor-metrics.ts'
import { letter } from '../support/letters.ts'
import { MemoryBooks } from '../support/memory-books.ts'

describe('the numbers of what is done later', () => {
  it('count by reaction, and ask the store once for all that look within seconds', async () => {
    const books = new MemoryBooks()
    const { at: _, ...row } = letter({ lane: 'mail:1', position: 1, reaction: 'mail' })
    await books.write([
      { owed: { ...row, due: 0 } },
      { dead: letter({ lane: 'mail:2', position: 2, reaction: 'mail' }) },
      { dead: letter({ lane: 'mail:2', position: 3, reaction: 'mail' }) },
    ])
    let asked = 0
    const registry = new Registry()
    addReactorMetrics(registry, {
      counts: () => {
        asked++
        return books.counts()
      },
    })
    const [first, second] = [await registry.metrics(), await registry.metrics()]
    expect(first).to.include('millrace_reactor_owed{reaction="mail"} 1')
    expect(first).to.include('millrace_reactor_dead_letters{reaction="mail"} 2')
    expect(second).to.equal(first)
    expect(asked).to.equal(1)
  })

  it('are asked for again when the store could not tell', async () => {
    let asked = 0
    const registry = new Registry()
    addReactorMetrics(registry, {
      counts: () => {
        if (++asked === 1) throw new Error('away')
        return { owed: new Map([['mail', 4]]), dead: new Map() }
      },
    })
    const failed = await registry.metrics().catch((error: Error) => error.message)
    expect(failed).to.equal('away')
    expect(await registry.metrics()).to.include('millrace_reactor_owed{reaction="mail"} 4')
  })
})
