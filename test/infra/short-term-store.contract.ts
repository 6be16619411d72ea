import { expect } from 'chai'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'

const code = (key: string) => ({ kind: 'code', key })

/** The contract of every short-term store. @param open opens the same store each time, with nothing in it at first */
export const shortTermStoreContract = (open: () => Promise<ShortTermStore>) => {
  it('keeps a record until its time, and one without a time for good', async () => {
    const store = await open()
    await store.put(code('a'), { data: { n: 1 }, until: 2000 })
    await store.put(code('b'), { data: { n: 2 }, until: null })
    const other = await open()
    expect(await other.get(code('a'), 1999)).to.deep.equal({ n: 1 })
    expect(await other.get(code('a'), 2000)).to.equal(undefined)
    expect(await other.get(code('b'), 9e12)).to.deep.equal({ n: 2 })
    expect(await other.get({ kind: 'token', key: 'a' }, 1000)).to.equal(undefined)
    await store.put(code('a'), { data: { n: 3, 'a.b$': ['\u{1f600}'] }, until: 3000 })
    expect(await other.get(code('a'), 2500)).to.deep.equal({ n: 3, 'a.b$': ['\u{1f600}'] })
  })

  it('writes a record unless one is there that has not expired', async () => {
    const store = await open()
    expect(await store.putNew(code('c'), { data: { n: 1 }, until: 2000 }, 1000)).to.equal(undefined)
    expect(await store.putNew(code('c'), { data: { n: 2 }, until: 2000 }, 1999)).to.deep.equal({ n: 1 })
    expect(await store.putNew(code('c'), { data: { n: 3 }, until: 3000 }, 2000)).to.equal(undefined)
    const writing = Array.from({ length: 16 }, (_, n) => store.putNew(code('d'), { data: { n }, until: 2000 }, 1000))
    expect((await Promise.all(writing)).filter((found) => found === undefined)).to.have.length(1)
  })

  it('gives a record to one of all that take it', async () => {
    const [one, other] = [await open(), await open()]
    await one.put(code('e'), { data: { n: 1 }, until: 2000 })
    const taking = Array.from({ length: 16 }, (_, n) => (n % 2 ? one : other).take(code('e'), 1000))
    expect((await Promise.all(taking)).filter((found) => found !== undefined)).to.deep.equal([{ n: 1 }])
    await one.put(code('f'), { data: {}, until: 2000 })
    expect(await one.take(code('f'), 2000), 'one that has expired').to.equal(undefined)
  })

  it('finds a record by its second key, and removes what belongs together', async () => {
    const store = await open()
    await store.put(code('g'), { data: { n: 1 }, until: 2000, alias: 'x', group: 'grant 1' })
    await store.put({ kind: 'token', key: 'h' }, { data: { n: 2 }, until: null, group: 'grant 1' })
    await store.put(code('i'), { data: { n: 3 }, until: null, group: 'grant 2' })
    expect(await store.getByAlias(code('x'), 1000)).to.deep.equal({ n: 1 })
    expect(await store.getByAlias(code('x'), 2000)).to.equal(undefined)
    expect(await store.getByAlias(code('y'), 1000)).to.equal(undefined)
    expect(await store.removeGroup('grant 1')).to.equal(2)
    expect(await store.removeGroup('grant 1')).to.equal(0)
    expect(await store.get({ kind: 'token', key: 'h' }, 1000)).to.equal(undefined)
    expect(await store.get(code('i'), 1000)).to.deep.equal({ n: 3 })
  })

  it('sweeps away what has expired, so many at a time', async () => {
    const store = await open()
    await store.sweep(9e12, 1000)
    for (const n of [1, 2, 3, 4]) await store.put(code(`s${n}`), { data: { n }, until: 1000 * n })
    expect(await store.sweep(3000, 2)).to.equal(2)
    expect(await store.sweep(3000, 2)).to.equal(1)
    expect(await store.sweep(3000, 2)).to.equal(0)
    expect(await store.get(code('s4'), 3000)).to.deep.equal({ n: 4 })
  })
}
