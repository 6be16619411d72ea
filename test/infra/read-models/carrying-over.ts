import { expect } from 'chai'
import type { Fingerprints, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
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

/** Tests of generations that carry over collections of the one before. */
export function carryingOver(setting: Setting): void {
  const carryOver = ['notes', 'timers']

  /** Contacts and notes up to position 9; note 2 was added and removed. */
  const begun = async (): Promise<ReadModels> => {
    const { store } = setting()
    const building = await store.rebuild(builtFrom('first'))
    await building.apply(changes('contacts', contacts({ kind: 'old' }, { kind: 'old' })), 1)
    await building.apply([...changes('notes', [{ id: 1 }, { id: 2 }, { id: 'three' }], 2)], 4)
    await building.apply([removal('notes', 2, 6), ...changes('timers', [{ id: 'x', due: 3 }], 9)], 9)
    await building.takeOver()
    return store.live
  }
  const notes = (models: ReadModels) => models.getMany('notes', [1, 2, 'three'])

  it('contains what is carried over, with its indexes, and nothing else; the rest is filled from the beginning', async () => {
    const { store, reopen } = setting()
    const models = await begun()
    const building = await store.rebuild(builtFrom('second'), { carryOver })
    expect([building.carriedOver, await building.checkpoint()]).to.deep.equal([9, -1])
    expect(await notes(building)).to.deep.equal([{ id: 1 }, undefined, { id: 'three' }])
    expect(await ids(building, { where: {}, sort: { by: 'due' } }, 'timers')).to.deep.equal(['x'])
    expect(await building.count('contacts', inWorkspace)).to.equal(0)
    await building.apply(changes('contacts', contacts({ kind: 'new' }, { kind: 'new' })), 9)
    await building.ready()
    await building.apply(changes('notes', [{ id: 4 }], 10), 10)
    await building.takeOver()
    const check = async (now: ReadModels) => {
      expect(await ids(now, { where: { workspace: 1, kind: 'new' } })).to.deep.equal([1, 2])
      expect(await notes(now)).to.deep.equal([{ id: 1 }, undefined, { id: 'three' }])
      expect(await now.get('notes', 4)).to.deep.equal({ id: 4 })
      expect(await now.checkpoint()).to.equal(10)
    }
    await check(models)
    const again = await reopen()
    await check(again.live)
    expect(await builtOf(again)).to.equal('second')
    await again.live.apply([removal('notes', 1, 11), ...changes('timers', [{ id: 'y', due: 1 }], 12)], 12)
    expect(await ids(again.live, { where: {}, sort: { by: 'due' } }, 'timers')).to.deep.equal(['y', 'x'])
    expect(await again.live.get('notes', 1)).to.equal(undefined)
  })

  it('finds carried over documents by the elements of lists', async () => {
    const { store } = setting()
    const models = await live(store, contacts({ tags: [1, 2], score: 2 }, { tags: [2], score: 1 }))
    const tagged = (tags: number) => ids(models, { where: { workspace: 1, tags }, sort: { by: 'score' } })
    const building = await store.rebuild(builtFrom('second'), { carryOver: ['contacts'] })
    await building.apply(changes('notes', [{ id: 1 }], 1), 1)
    await building.takeOver()
    expect([await tagged(1), await tagged(2)]).to.deep.equal([[1], [2, 1]])
    await models.apply(changes('contacts', contacts({ tags: [3], score: 2 }), 2), 2)
    expect([await tagged(1), await tagged(2), await tagged(3)]).to.deep.equal([[], [2], [1]])
  })

  it('does not revert what is carried over to an older state', async () => {
    await begun()
    const building = await setting().store.rebuild(builtFrom('second'), { carryOver })
    await building.apply(changes('notes', [{ id: 1, text: 'older' }], 1), 5)
    await building.apply([], 9)
    await building.ready()
    expect(await building.get('notes', 1)).to.deep.equal({ id: 1 })
    await building.apply(changes('notes', [{ id: 1, text: 'newer' }], 10), 10)
    await building.takeOver()
    expect(await setting().store.live.get('notes', 1)).to.deep.equal({ id: 1, text: 'newer' })
  })

  it('continues beside the live documents, which change meanwhile', async () => {
    const { store } = setting()
    const models = await begun()
    let position = 9
    let isOver = false
    const writing = (async () => {
      while (!isOver) await models.apply(changes('notes', [{ id: ++position }], position), position)
    })()
    const building = await store.rebuild(builtFrom('second'), { carryOver })
    isOver = true
    await writing
    const { carriedOver } = building
    expect(carriedOver).to.be.within(9, position)
    for (let id = 10; id <= carriedOver; id++) expect(await building.get('notes', id)).to.deep.equal({ id })
    for (let at = carriedOver + 1; at <= position; at++) await building.apply(changes('notes', [{ id: at }], at), at)
    await building.apply([], position)
    await building.takeOver()
    expect(await models.count('notes', {})).to.equal(2 + position - 9)
  })

  it('does not take over before the rest has reached the position of what is carried over', async () => {
    const { store } = setting()
    const models = await begun()
    const building = await store.rebuild(builtFrom('second'), { carryOver })
    await building.apply(changes('contacts', contacts({ kind: 'new' })), 8)
    expect((await thrown(() => building.takeOver())).message).to.include('ahead of the rest')
    await building.abandon()
    expect(await ids(models, { where: { workspace: 1, kind: 'old' } })).to.deep.equal([1, 2])
    expect(await builtOf(store)).to.equal('first')
    expect((await store.rebuild(builtFrom('third'))).carriedOver).to.equal(-1)
  })

  it('cancels the takeover on request, and carries over nothing from an empty generation', async () => {
    const { store } = setting()
    expect((await store.rebuild(builtFrom('first'), { carryOver })).carriedOver).to.equal(-1)
    const models = await begun()
    const signal = AbortSignal.abort()
    expect((await thrown(() => store.rebuild(builtFrom('second'), { carryOver, signal }))).name).to.equal('AbortError')
    expect(await notes(models)).to.deep.equal([{ id: 1 }, undefined, { id: 'three' }])
    const building = await store.rebuild(builtFrom('second'))
    expect(await notes(building)).to.deep.equal([undefined, undefined, undefined])
  })

  it('stores the fingerprints recorded for the live generation', async () => {
    const { store, reopen } = setting()
    await begun()
    const noted: Fingerprints = new Map([
      ['contacts', { documents: 'x', indexes: ['a by id'], attributes: ['b 0'] }],
      ['notes', { documents: 'y', indexes: [], attributes: [] }],
    ])
    await store.note(noted)
    expect(await store.fingerprints()).to.deep.equal(noted)
    const again = await reopen()
    expect(await again.fingerprints()).to.deep.equal(noted)
    expect([await again.live.checkpoint(), await again.live.get('notes', 1)]).to.deep.equal([9, { id: 1 }])
  })
}
