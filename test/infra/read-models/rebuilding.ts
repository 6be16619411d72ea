import { expect } from 'chai'
import type { ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import {
  builtFrom,
  builtOf,
  changes,
  contacts,
  ids,
  inWorkspace,
  live,
  removal,
  type Setting,
  thrown,
} from './setting.ts'

/** Tests of the succession of generations. */
export function rebuilding(setting: Setting): void {
  const kinds = async (models: ReadModels) =>
    (await models.find('contacts', { where: inWorkspace })).map((document) => document.kind)

  it('has nothing before anything was built', async () => {
    const { store } = setting()
    expect(await builtOf(store)).to.equal(undefined)
    expect(await store.live.get('contacts', 1)).to.equal(undefined)
    expect(await store.live.getMany('contacts', [1, 2])).to.deep.equal([undefined, undefined])
    expect(await ids(store.live, { where: inWorkspace })).to.deep.equal([])
    expect(await store.live.count('contacts', inWorkspace)).to.equal(0)
    expect(await store.live.checkpoint()).to.equal(-1)
  })

  it('builds beside what is live, and takes over at once', async () => {
    const { store } = setting()
    const models = await live(store, contacts({ kind: 'old' }, { kind: 'old' }))
    const building = await store.rebuild(builtFrom('second'))
    expect(await building.checkpoint()).to.equal(-1)
    expect(await building.get('contacts', 1)).to.equal(undefined)
    await building.apply(changes('contacts', contacts({ kind: 'new' }), 50), 60)
    expect(await building.get('contacts', 1)).to.have.property('kind', 'new')
    expect(await building.getMany('contacts', [1, 2])).to.have.deep.nested.property('[0].kind', 'new')
    expect(await kinds(building)).to.deep.equal(['new'])
    expect(await building.count('contacts', inWorkspace)).to.equal(1)
    expect(await building.checkpoint()).to.equal(60)
    await models.apply(changes('contacts', [{ id: 3, workspace: 1, kind: 'old' }], 2), 2)
    expect(await kinds(models)).to.deep.equal(['old', 'old', 'old'])
    expect([await models.checkpoint(), await builtOf(store)]).to.deep.equal([2, 'first'])
    await building.takeOver()
    expect(await kinds(models)).to.deep.equal(['new'])
    expect(store.live).to.equal(models)
    expect([await models.checkpoint(), await builtOf(store)]).to.deep.equal([60, 'second'])
    await models.apply([removal('contacts', 1, 61)], 61)
    expect(await kinds(models)).to.deep.equal([])
  })

  it('finds what it is still building by the changes so far', async () => {
    const building = await setting().store.rebuild(builtFrom('first'))
    for (let n = 0; n < 10; n++) {
      await building.apply(changes('contacts', contacts({ score: n }, { kind: 'x' }), n * 2), n * 2 + 1)
      expect(await building.get('contacts', 1)).to.have.property('score', n)
      if (n % 3 === 0)
        expect(await ids(building, { where: { workspace: 1, score: n }, sort: { by: 'score' } })).to.deep.equal([1])
    }
    await building.apply([removal('contacts', 1, 30)], 30)
    expect(await building.get('contacts', 1)).to.equal(undefined)
    await building.apply(changes('contacts', contacts({ kind: 'stale' }, { kind: 'stale' }), 5), 31)
    expect(await building.get('contacts', 1)).to.equal(undefined)
    expect(await building.get('contacts', 2)).to.have.property('kind', 'x')
    await building.abandon()
  })

  it('does not change the live generation when a rebuild is abandoned or a newer one begins', async () => {
    const { store } = setting()
    const models = await live(store, contacts({ kind: 'old' }))
    const first = await store.rebuild(builtFrom('second'))
    await first.apply(changes('contacts', contacts({ kind: 'dropped' })), 5)
    await first.abandon()
    const second = await store.rebuild(builtFrom('third'))
    await second.apply(changes('contacts', contacts({ kind: 'dropped' }, { kind: 'too' })), 5)
    const third = await store.rebuild(builtFrom('fourth'))
    await thrown(() => second.takeOver())
    expect(await kinds(models)).to.deep.equal(['old'])
    expect(await builtOf(store)).to.equal('first')
    expect(await kinds(third)).to.deep.equal([])
    await third.takeOver()
    expect(await kinds(models)).to.deep.equal([])
    expect(await builtOf(store)).to.equal('fourth')
  })

  it('keeps everything when it is opened again', async () => {
    const { store, reopen } = setting()
    const documents = contacts({ kind: 'a', tags: [1, 2] }, { kind: 'b' }, { kind: 'a' })
    await live(store, documents)
    await store.live.apply(
      [...changes('contacts', [{ id: 4, workspace: 1, kind: 'a', tags: [2] }], 3), removal('contacts', 3, 4)],
      4,
    )
    const unfinished = await store.rebuild(builtFrom('never'))
    await unfinished.apply(changes('contacts', contacts({ kind: 'x' })), 1)
    const again = await reopen()
    expect(await builtOf(again)).to.equal('first')
    expect(await again.live.checkpoint()).to.equal(4)
    expect(await kinds(again.live)).to.deep.equal(['a', 'b', 'a'])
    expect(await again.live.count('contacts', { workspace: 1, tags: { $in: [1, 2] } })).to.equal(2)
    await again.live.apply(changes('contacts', contacts({ kind: 'c' }), 5), 5)
    expect(await ids(again.live, { where: { workspace: 1, kind: { $in: ['a', 'c'] } } })).to.deep.equal([1, 4])
    expect(await again.live.count('contacts', inWorkspace)).to.equal(3)
  })

  it('takes over again and again', async () => {
    const { store, reopen } = setting()
    for (let n = 0; n < 5; n++) {
      const building = await store.rebuild(builtFrom(`fingerprint-${n}`))
      await building.apply(changes('contacts', contacts({ kind: `k${n}` })), n)
      await building.takeOver()
      expect(await kinds(store.live)).to.deep.equal([`k${n}`])
    }
    const again = await reopen()
    expect([await builtOf(again), ...(await kinds(again.live))]).to.deep.equal(['fingerprint-4', 'k4'])
  })
}
