import { expect } from 'chai'
import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { changes, contacts, ids, inWorkspace, live, removal, type Setting } from './setting.ts'

/** Tests of changes to documents. */
export function applying(setting: Setting): void {
  it('shows all changes and the checkpoint once it has answered', async () => {
    const models = await live(setting().store, contacts({ kind: 'a' }, { kind: 'b' }))
    expect(await models.checkpoint()).to.equal(1)
    const batch: Change[] = [
      ...changes('contacts', [{ id: 1, workspace: 1, kind: 'b' }], 5),
      removal('contacts', 2, 6),
      ...changes('notes', [{ id: 'n', text: 'x' }], 7),
    ]
    await models.apply(batch, 9)
    expect(await models.checkpoint()).to.equal(9)
    expect(await models.get('contacts', 1)).to.deep.equal({ id: 1, workspace: 1, kind: 'b' })
    expect(await models.get('contacts', 2)).to.equal(undefined)
    expect(await models.get('notes', 'n')).to.deep.equal({ id: 'n', text: 'x' })
    expect(await ids(models, { where: { workspace: 1, kind: 'b' } })).to.deep.equal([1])
    expect(await ids(models, { where: { workspace: 1, kind: 'a' } })).to.deep.equal([])
    expect(await ids(models, { where: inWorkspace })).to.deep.equal([1])
  })

  it('moves the checkpoint alone, and never back', async () => {
    const models = await live(setting().store, [])
    await models.apply([], 20)
    expect(await models.checkpoint()).to.equal(20)
    await models.apply([], 10)
    expect(await models.checkpoint()).to.equal(20)
  })

  it('moves a document to the place of its new values', async () => {
    const models = await live(setting().store, contacts({ kind: 'a', tags: [1, 2], score: 1 }))
    const versions = [
      { kind: 'b', tags: [2, 3], score: 1 },
      { kind: 'b', tags: 3 },
      { tags: [] },
      { kind: 'a', tags: [1, 2], score: 2 },
    ]
    for (const [n, fields] of versions.entries()) {
      await models.apply(changes('contacts', contacts(fields), 10 + n), 10 + n)
      for (const kind of ['a', 'b', null]) {
        const expected = (('kind' in fields ? fields.kind : null) ?? null) === kind ? [1] : []
        expect(await ids(models, { where: { workspace: 1, kind } })).to.deep.equal(expected)
      }
      for (const tag of [1, 2, 3]) {
        expect(await ids(models, { where: { workspace: 1, tags: tag } })).to.deep.equal(
          [fields.tags].flat().includes(tag) ? [1] : [],
        )
      }
    }
  })

  it('changes nothing when the same is applied again', async () => {
    const models = await live(setting().store, contacts({ kind: 'a' }, { kind: 'b' }))
    const batch = [...changes('contacts', contacts({ kind: 'c' }), 5), removal('contacts', 2, 6)]
    await models.apply(batch, 6)
    await models.apply(batch, 6)
    await models.apply(changes('contacts', contacts({ kind: 'a' }, { kind: 'b' })), 1)
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal(contacts({ kind: 'c' }))
    expect(await ids(models, { where: { workspace: 1, kind: { $in: ['a', 'b'] } } })).to.deep.equal([])
    expect(await models.checkpoint()).to.equal(6)
  })

  it('never replaces a document by an older one, even ahead of the checkpoint', async () => {
    const models = await live(setting().store, [])
    await models.apply(changes('contacts', contacts({ kind: 'new' }), 20), 10)
    await models.apply(changes('contacts', contacts({ kind: 'old' }), 15), 15)
    await models.apply([removal('contacts', 1, 16)], 16)
    expect(await models.get('contacts', 1)).to.have.property('kind', 'new')
    await models.apply(changes('contacts', contacts({ kind: 'newest' }), 21), 21)
    expect(await models.get('contacts', 1)).to.have.property('kind', 'newest')
  })

  it('takes the newest of several changes of one document', async () => {
    const models = await live(setting().store, [])
    const version = (kind: string, position: number) => changes('contacts', contacts({ kind }), position)
    await models.apply([...version('a', 1), ...version('c', 3), ...version('b', 2)], 3)
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal(contacts({ kind: 'c' }))
    await models.apply([...version('d', 4), removal('contacts', 1, 5)], 5)
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal([])
    await models.apply([removal('contacts', 1, 6), ...version('e', 7)], 7)
    expect(await models.find('contacts', { where: { workspace: 1, kind: 'e' } })).to.have.length(1)
  })

  it('brings back a document under the id of one that was removed', async () => {
    const models = await live(setting().store, contacts({ kind: 'a' }))
    await models.apply([removal('contacts', 1, 5), removal('contacts', 99, 6)], 6)
    await models.apply(changes('contacts', contacts({ kind: 'b' }), 7), 7)
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal(contacts({ kind: 'b' }))
  })

  it('applies in the order of the calls when they do not wait for each other', async () => {
    const models = await live(setting().store, [])
    const rounds = Array.from({ length: 30 }, (_, n) => n + 1)
    await Promise.all(
      rounds.map((n) => models.apply(changes('contacts', contacts({ score: n }, { score: -n }), n * 2), n * 2 + 1)),
    )
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal(contacts({ score: 30 }, { score: -30 }))
    expect(await ids(models, { where: { workspace: 1, score: { $gt: 0 } }, sort: { by: 'score' } })).to.deep.equal([1])
    expect(await models.checkpoint()).to.equal(61)
  })

  it('never shows a part of what is applied together', async () => {
    const models = await live(setting().store, contacts(...Array.from({ length: 50 }, () => ({ score: 0 }))))
    let over = false
    const writing = (async () => {
      for (let n = 1; n <= 20; n++) {
        const documents = contacts(...Array.from({ length: 50 }, () => ({ score: n })))
        await models.apply(changes('contacts', documents, n * 100), n * 100 + 99)
      }
      over = true
    })()
    while (!over) {
      const scores = new Set((await models.find('contacts', { where: inWorkspace })).map((document) => document.score))
      expect(scores.size).to.equal(1)
      await new Promise(setImmediate)
    }
    await writing
  })
}
