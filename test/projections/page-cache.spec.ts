import { expect } from 'chai'
import type { Change, WatchedReadModels } from '../../domain/kernel/ports/read-models.ts'
import { PageCache } from '../../projections/page-cache.ts'

const cacheOf = (memory = 1_000_000) => {
  let note: Parameters<WatchedReadModels['watch']>[0] = () => undefined
  const watched: WatchedReadModels = {
    watch: (listener) => {
      note = listener
    },
    findIds: () => [],
  }
  const cache = new PageCache<string>({ watched, memory, sizeOf: (text) => text.length })
  const changed = (collection: string, id: number, document: Change['document'] = { id }) =>
    note([{ collection, id, document, position: 1 }])
  return { cache, changed, changedAll: () => note(undefined) }
}

describe('the cache of pages', () => {
  it('drops a value when a document changes that was read, or looked for, or any of a collection', async () => {
    const { cache, changed } = cacheOf()
    const fill = () =>
      cache.make('a', async (sources) => {
        sources.document('page', 1)
        sources.where('page', 'path', '/a')
        sources.collection('site')
        return 'value'
      })
    const isKept = () => cache.get('a') !== undefined
    const changes: readonly (readonly [() => void, boolean])[] = [
      [() => changed('page', 2), true],
      [() => changed('funnel', 1), true],
      [() => changed('page', 1), false],
      [() => changed('page', 1, null), false],
      [() => changed('page', 3, { id: 3, path: '/b' }), true],
      [() => changed('page', 3, { id: 3, path: '/a' }), false],
      [() => changed('page', 3, { id: 3, path: ['/b', '/a'] }), false],
      [() => changed('site', 9), false],
    ]
    for (const [change, stays] of changes) {
      await fill()
      expect(isKept()).to.equal(true)
      change()
      expect(isKept(), String(change)).to.equal(stays)
    }
  })

  it('keeps nothing that changed while it was made, and makes it anew for those who ask after that', async () => {
    const { cache, changed } = cacheOf()
    let go: () => void = () => undefined
    const slow = cache.make('a', async (sources) => {
      sources.document('page', 1)
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return 'old'
    })
    changed('page', 1)
    const fresh = await cache.make('a', async () => 'new')
    go()
    expect([await slow, fresh, cache.get('a')]).to.deep.equal(['old', 'new', 'new'])
  })

  it('makes a value once for all who wait, keeps no failure, and nothing that is not there', async () => {
    const { cache } = cacheOf()
    let count = 0
    const make = () =>
      cache.make('a', async () => {
        count++
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (count === 1) throw new Error('away')
        return count === 2 ? undefined : 'value'
      })
    const failed = await Promise.allSettled([make(), make(), make()])
    expect([failed.map(({ status }) => status), count]).to.deep.equal([['rejected', 'rejected', 'rejected'], 1])
    expect(await Promise.all([make(), make()])).to.deep.equal([undefined, undefined])
    expect([cache.size, await make(), cache.size]).to.deep.equal([0, 'value', 1])
  })

  it('stays within its memory, and is empty after a rebuild', async () => {
    const { cache, changedAll } = cacheOf(100_000)
    for (let count = 0; count < 1000; count++) await cache.make(`${count}`, async () => 'x'.repeat(1000))
    expect(cache.size).to.be.within(10, 50)
    await cache.make('large', async () => 'x'.repeat(200_000))
    expect(cache.get('large')).to.equal(undefined)
    changedAll()
    expect(cache.size).to.equal(0)
  })

  it('keeps and shares nothing where changes are not reported', async () => {
    const cache = new PageCache<string>({ memory: 1000, sizeOf: () => 1 })
    let count = 0
    const make = () => cache.make('a', async () => `${++count}`)
    expect(await Promise.all([make(), make()])).to.deep.equal(['1', '2'])
    expect(cache.get('a')).to.equal(undefined)
  })

  it('makes a value again once its time is over, though nothing has changed', async () => {
    let isInTime = true
    const watched: WatchedReadModels = { watch: () => undefined, findIds: () => [] }
    const cache = new PageCache<string>({ watched, memory: 1000_000, sizeOf: () => 1, isInTime: () => isInTime })
    let count = 0
    const find = () => cache.find('a', async () => `${++count}`)
    expect([await find(), await find()]).to.deep.equal(['1', '1'])
    isInTime = false
    expect([cache.get('a'), await find()]).to.deep.equal([undefined, '2'])
    isInTime = true
    expect(await find()).to.equal('2')
  })
})
