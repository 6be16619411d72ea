import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import type { CollectionSpec, Document } from '../../domain/kernel/ports/read-models.ts'
import { openEmbeddedReadModels } from '../../infra/read-models/embedded/store.ts'
import { Child } from './children/child.ts'
import { changesIn, checkRounds } from './read-models/rounds.ts'
import {
  changes,
  collections,
  contacts,
  ids,
  inWorkspace,
  live,
  type OpenReadModels,
  thrown,
} from './read-models/setting.ts'
import { readModelsContract } from './read-models.contract.ts'
import { temporaryDirectory } from './temporary-directory.ts'

async function openStore(collections: readonly CollectionSpec[]): Promise<OpenReadModels> {
  const { path, remove } = temporaryDirectory()
  let store = await openEmbeddedReadModels(path, collections)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openEmbeddedReadModels(path, collections)
      return store
    },
    async cleanup() {
      await store.close()
      remove()
    },
  }
}

readModelsContract('The embedded store', openStore)

describe('The embedded read models', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let opened: Awaited<ReturnType<typeof openEmbeddedReadModels>>[]
  beforeEach(() => {
    directory = temporaryDirectory()
    opened = []
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    directory.remove()
  })

  async function open(specs: readonly CollectionSpec[] = collections) {
    const store = await openEmbeddedReadModels(directory.path, specs)
    opened.push(store)
    return store
  }

  const generations = () => readdirSync(directory.path).filter((name) => name.startsWith('generation'))

  it('take no changes before there is a generation to change', async () => {
    const { live } = await open()
    const error = await thrown(() => live.apply(changes('contacts', contacts({})), 1))
    expect(error.message).to.include('rebuild')
  })

  it('answer reads at once, without a promise', async () => {
    const { live: models } = await live(await open(), contacts({ kind: 'a' })).then(() => opened[0]!)
    expect(models.get('contacts', 1)).to.have.property('kind', 'a')
    expect(models.find('contacts', { where: inWorkspace })).to.have.length(1)
    expect(models.count('contacts', inWorkspace)).to.equal(1)
    expect(models.checkpoint()).to.equal(0)
  })

  it('keep one generation on disk', async () => {
    const store = await open()
    for (const fingerprint of ['a', 'b', 'c']) await (await store.rebuild(fingerprint)).takeOver()
    await (await store.rebuild('d')).abandon()
    expect(generations()).to.deep.equal(['generation-3'])
    await store.rebuild('e')
    expect(generations()).to.have.length(2)
    await store.close()
    expect(generations()).to.deep.equal(['generation-3'])
  })

  it('drop what a rebuild left behind when its process ended', async () => {
    await live(await open(), contacts({ kind: 'a' }))
    const child = new Child('rebuild-read-models', [directory.path, 'never'])
    await child.line(0)
    await child.end('SIGKILL')
    expect(generations()).to.have.length(2)
    const building = await opened[0]!.rebuild('next')
    expect(await building.count('contacts', {})).to.equal(0)
    await building.takeOver()
    expect(generations()).to.deep.equal(['generation-3'])
  })

  it('notice what took over in another process when asked to look', async () => {
    const store = await open()
    const models = await live(store, contacts({ kind: 'here' }, { kind: 'here' }))
    const child = new Child('rebuild-read-models', [directory.path, 'there'])
    await child.line(0)
    expect(await store.refresh()).to.equal(false)
    child.say('take over')
    await child.line(1)
    expect(await models.count('contacts', inWorkspace)).to.equal(2)
    await models.apply(changes('contacts', contacts({ kind: 'lost' }), 5), 5)
    expect(await store.refresh()).to.equal(true)
    expect(await models.find('contacts', { where: inWorkspace })).to.deep.equal(contacts({ kind: 'there' }))
    expect([store.fingerprint(), await models.checkpoint()]).to.deep.equal(['there', 7])
    expect(await store.refresh()).to.equal(false)
    await child.end()
    await models.apply(changes('contacts', contacts({ kind: 'kept' }), 8), 8)
    expect(await (await open()).live.get('contacts', 1)).to.have.property('kind', 'kept')
  })

  for (const [what, content] of [
    ['no JSON', 'generation-1\n'],
    ['another format', '{"format":"other","generation":"generation-1","fingerprint":"x"}'],
    ['a path', '{"format":"millrace read models 1","generation":"../../etc","fingerprint":"x"}'],
    ['a missing generation', '{"format":"millrace read models 1","generation":"generation-9","fingerprint":"x"}'],
    ['an empty file', ''],
  ]) {
    it(`refuse a directory whose pointer holds ${what}, saying which and what to do`, async () => {
      writeFileSync(path.join(directory.path, 'live.json'), content!)
      const { message } = await thrown(() => open())
      expect(message).to.include(`Remove ${directory.path} `).and.include('built again from the log')
      expect(generations()).to.deep.equal([])
    })
  }

  for (const [what, spoil] of [
    ['is cut short', (file: string) => truncateSync(file, 100_000)],
    ['is cut very short', (file: string) => truncateSync(file, 100)],
    ['is something else', (file: string) => writeFileSync(file, 'x'.repeat(100_000))],
    ['is gone', (file: string) => rmSync(file)],
    ['is gone with its directory', (file: string) => rmSync(path.dirname(file), { recursive: true })],
  ] as const) {
    it(`refuse a generation whose file ${what}, saying what to do`, async () => {
      await live(await open(), contacts(...Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) }))))
      await opened[0]!.close()
      spoil(path.join(directory.path, 'generation-1', 'data.mdb'))
      const { message } = await thrown(() => open())
      expect(message).to.include(`Remove ${directory.path} `).and.include('generation-1 cannot be read')
    })
  }

  it('refuse documents that could not be found again, all or nothing', async () => {
    const models = await live(await open(), [])
    const good = changes('contacts', contacts({ kind: 'a' }), 5)
    for (const id of [Number.NaN, 'a\u0000b', 'x'.repeat(1000), { a: 1 } as unknown as number]) {
      const bad = { collection: 'contacts', id, document: { id, workspace: 1 }, position: 6 }
      expect((await thrown(() => models.apply([...good, bad], 6))).message).to.include('cannot be the id')
    }
    const other = { collection: 'contacts', id: 7, document: { id: 8 }, position: 6 }
    expect((await thrown(() => models.apply([...good, other], 6))).message).to.include('has the id 8')
    const unknown = changes('strangers', contacts({}), 6)
    expect((await thrown(() => models.apply([...good, ...unknown], 6))).message).to.include('strangers')
    expect([await models.count('contacts', {}), await models.checkpoint()]).to.deep.equal([0, -1])
  })

  it('keep indexes that agree with the documents when something that is no JSON breaks off an apply', async () => {
    const models = await live(await open(), contacts({ kind: 'a' }, { kind: 'a' }))
    const bad = { id: 3, workspace: 1, kind: 'a', number: 2n ** 80n } as unknown as Document
    const error = await thrown(() => models.apply(changes('contacts', [...contacts({ kind: 'b' }), bad], 5), 6))
    expect(error).to.be.instanceOf(RangeError)
    expect(await models.checkpoint()).to.equal(1)
    await models.apply(changes('contacts', contacts({ kind: 'c' }, { kind: 'c' }), 7), 8)
    for (const [kind, expected] of [
      ['a', []],
      ['b', []],
      ['c', [1, 2]],
    ] as const) {
      expect(await ids(models, { where: { workspace: 1, kind } })).to.deep.equal(expected)
    }
    expect(await ids(models, { where: inWorkspace })).to.deep.equal([1, 2])
  })

  it('hold many documents of many shapes, written at once, now and when opened again', async () => {
    const store = await open()
    const building = await store.rebuild('rounds')
    for (let round = 1; round <= 8; round++) await building.apply(...appliedIn(round))
    await building.takeOver()
    for (let round = 9; round <= 24; round++) await store.live.apply(...appliedIn(round))
    expect(await checkRounds(store.live, 10)).to.equal(24)
    await store.close()
    expect(await checkRounds((await open()).live, 10)).to.equal(24)
  })

  it('go on with the indexes that the live generation was built with', async () => {
    const models = await live(await open(), contacts({ kind: 'a', email: 'x' }))
    await opened[0]!.close()
    const changed: CollectionSpec[] = [
      { name: 'contacts', indexes: [{ fields: ['email'] }] },
      { name: 'notes', indexes: [{ fields: ['text'] }] },
      { name: 'strangers', indexes: [{ fields: ['name'] }] },
    ]
    const store = await open(changed)
    await store.live.apply(
      [
        ...changes('contacts', [{ id: 2, workspace: 1, kind: 'a', email: 'x' }], 5),
        ...changes('notes', [{ id: 1, text: 'x' }], 6),
        ...changes('strangers', [{ id: 1, name: 'y' }], 7),
      ],
      7,
    )
    expect(models).not.to.equal(store.live)
    expect(await ids(store.live, { where: { workspace: 1, kind: 'a' } })).to.deep.equal([1, 2])
    expect((await thrown(() => store.live.find('contacts', { where: { email: 'x' } }))).message).to.include(
      'no index serves',
    )
    expect(await ids(store.live, { where: { text: 'x' } }, 'notes')).to.deep.equal([1])
    expect(await ids(store.live, { where: { name: 'y' } }, 'strangers')).to.deep.equal([1])
    const building = await store.rebuild('second')
    await building.apply(changes('contacts', contacts({ email: 'x' })), 8)
    await building.takeOver()
    expect(await ids(store.live, { where: { email: 'x' } })).to.deep.equal([1])
  })

  it('refuse an index over more fields than a key holds', async () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f']
    const store = await open([{ name: 'wide', indexes: [{ fields, sort: 'g' }] }])
    expect((await thrown(() => store.rebuild('x'))).message)
      .to.include('wide')
      .and.include('6 fields')
  })
})

function appliedIn(round: number): [ReturnType<typeof changesIn>['changes'], number] {
  const { changes, checkpoint } = changesIn(round, 10)
  return [changes, checkpoint]
}
