import { expect } from 'chai'
import type { LastChanges } from '../../domain/kernel/ports/read-models.ts'
import { CheckedPageCache } from '../../projections/checked-page-cache.ts'
import type { Sources } from '../../projections/fragments.ts'

interface Value {
  readonly text: string
}

const cacheOf = (memory = 1_000_000) => {
  let positions: Record<string, number> = {}
  let generation = 1
  let isKnown = true
  const lastChanges = async (): Promise<LastChanges | undefined> => {
    const known = positions
    const positionOf = (names: Iterable<string>) => Math.max(-1, ...[...names].map((name) => known[name] ?? -1))
    return isKnown ? { generation, positionOf } : undefined
  }
  let count = 0
  const cache = new CheckedPageCache<Value>({ lastChanges, memory, sizeOf: ({ text }) => text.length })
  const look = (sources: Sources) => {
    sources.document('page', 1)
    sources.where('product', 'name', 'Mug')
    sources.collection('site')
  }
  const ask = async (meanwhile?: () => Promise<unknown>) =>
    (
      await cache.find('a', async (sources) => {
        const text = `${++count}`
        look(sources)
        await meanwhile?.()
        return { text }
      })
    )?.text
  return {
    cache,
    ask,
    change: (collection: string, position: number) => {
      positions = { ...positions, [collection]: position }
    },
    takeOver: () => void generation++,
    know: (known: boolean) => {
      isKnown = known
    },
  }
}

const moment = () => {
  let go: () => void = () => undefined
  const come = new Promise<void>((resolve) => {
    go = resolve
  })
  return { come, go: () => go() }
}

describe('the cache of pages that other processes change', () => {
  it('keeps a value until a collection that it was made of has changed', async () => {
    const { ask, change, takeOver } = cacheOf()
    expect([await ask(), await ask()]).to.deep.equal(['1', '1'])
    change('contact', 5)
    expect(await ask()).to.equal('1')
    for (const [at, collection] of ['page', 'product', 'site'].entries()) {
      change(collection, 10 + at)
      expect([await ask(), await ask()], collection).to.deep.equal([`${at + 2}`, `${at + 2}`])
    }
    takeOver()
    expect([await ask(), await ask()]).to.deep.equal(['5', '5'])
  })

  it('shares a value that is being made, unless something changes before it is asked for', async () => {
    const { ask, change } = cacheOf()
    const first = moment()
    const begun = [ask(() => first.come), ask(), ask()]
    await new Promise((resolve) => setImmediate(resolve))
    change('page', 7)
    expect(await ask(), 'of the new page').to.equal('2')
    first.go()
    expect(await Promise.all(begun)).to.deep.equal(['1', '1', '1'])
    expect(await ask(), 'not the older one, which ended later').to.equal('2')
  })

  it('makes a value again that changed while it was made', async () => {
    const { ask, change } = cacheOf()
    expect(await ask(async () => change('product', 3))).to.equal('1')
    expect([await ask(), await ask()]).to.deep.equal(['2', '2'])
  })

  it('keeps no failure, and nothing that is not there', async () => {
    const { ask, cache } = cacheOf()
    const fail = () => Promise.reject(new Error('away'))
    const failed = await Promise.allSettled([ask(fail), ask(fail)])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(await cache.find('b', async () => undefined)).to.equal(undefined)
    expect(cache.size).to.equal(0)
    expect([await ask(), cache.size]).to.deep.equal(['2', 1])
  })

  it('keeps and shares nothing where changes are not known', async () => {
    const { ask, know, cache } = cacheOf()
    know(false)
    expect(await Promise.all([ask(), ask()])).to.deep.equal(['1', '2'])
    expect(cache.size).to.equal(0)
    know(true)
    expect([await ask(), await ask()]).to.deep.equal(['3', '3'])
  })

  it('stays within its memory', async () => {
    const { cache } = cacheOf(100_000)
    for (let count = 0; count < 1000; count++) await cache.find(`${count}`, async () => ({ text: 'x'.repeat(1000) }))
    expect(cache.size).to.be.within(10, 50)
  })

  it('makes a value again once its time is over, though nothing has changed', async () => {
    let isInTime = true
    const lastChanges = async () => ({ generation: 1, positionOf: () => 1 })
    const cache = new CheckedPageCache<Value>({
      lastChanges,
      memory: 1000_000,
      sizeOf: () => 1,
      isInTime: () => isInTime,
    })
    let count = 0
    const find = async () => (await cache.find('a', async () => ({ text: `${++count}` })))?.text
    expect([await find(), await find()]).to.deep.equal(['1', '1'])
    isInTime = false
    expect(await find()).to.equal('2')
    isInTime = true
    expect(await find()).to.equal('2')
  })
})
