import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import type { CollectionSpec, Document } from '../../../../domain/kernel/ports/read-models.ts'
import { openSqliteReadModels, type SqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { byForm } from '../../../reliability/form.ts'
import { Child } from '../../children/child.ts'
import { readModelsContract } from '../../read-models.contract.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'
import { modelled } from '../model.ts'
import { changesIn, checkRounds } from '../rounds.ts'
import {
  builtFrom,
  builtOf,
  changes,
  collections,
  contacts,
  ids,
  inWorkspace,
  live,
  type OpenReadModels,
  removal,
  thrown,
} from '../setting.ts'

const fileIn = (directory: string): string => path.join(directory, 'views.db')

const openedBy = (open: typeof openSqliteReadModels) => async (collections: readonly CollectionSpec[]) => {
  const { path, remove } = temporaryDirectory()
  let store = await open(fileIn(path), collections)
  return {
    store,
    async reopen() {
      await store.close()
      store = await open(fileIn(path), collections)
      return store
    },
    async cleanup() {
      await store.close()
      remove()
    },
  } satisfies OpenReadModels
}

/** Opens a store in which no change is pending when an apply resolves. */
const openLanding: typeof openSqliteReadModels = async (...args) => {
  const store = await openSqliteReadModels(...args)
  const apply = store.live.apply.bind(store.live)
  store.live.apply = async (...changes) => {
    await apply(...changes)
    await store.landed()
  }
  return store
}

readModelsContract('The SQLite store', openedBy(openSqliteReadModels))
readModelsContract('The SQLite store, with everything in its file', openedBy(openLanding))

describe('The SQLite read models', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let opened: SqliteReadModels[]
  let said: string[]
  beforeEach(() => {
    directory = temporaryDirectory()
    opened = []
    said = []
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    directory.remove()
  })

  async function open(specs: readonly CollectionSpec[] = collections, logId?: string) {
    const onDamage = (message: string) => said.push(message)
    const store = await openSqliteReadModels(fileIn(directory.path), specs, { onDamage, ...(logId && { logId }) })
    opened.push(store)
    return store
  }

  async function reopen(specs?: readonly CollectionSpec[], logId?: string) {
    await opened.at(-1)?.close()
    return open(specs, logId)
  }

  const files = () => readdirSync(directory.path).sort()

  it('accept no changes before there is a generation', async () => {
    const { live } = await open()
    const error = await thrown(() => live.apply(changes('contacts', contacts({})), 1))
    expect(error.message).to.include('rebuild')
  })

  it('answer reads at once, without a promise', async () => {
    const store = await open()
    const models = await live(store, contacts({ kind: 'a' }))
    expect(models.get('contacts', 1)).to.have.property('kind', 'a')
    expect(models.find('contacts', { where: inWorkspace })).to.have.length(1)
    expect(models.count('contacts', inWorkspace)).to.equal(1)
    expect(models.checkpoint()).to.equal(0)
  })

  it('are one file, with nothing beside it once closed but what is empty', async () => {
    const store = await open()
    for (const fingerprint of ['a', 'b', 'c']) await (await store.rebuild(builtFrom(fingerprint))).takeOver()
    await (await store.rebuild(builtFrom('d'))).abandon()
    await store.rebuild(builtFrom('e'))
    await store.live.apply(changes('contacts', contacts({ kind: 'a' }), 5), 5)
    await store.close()
    for (const name of files())
      if (name !== 'views.db') expect(statSync(path.join(directory.path, name)).size % 32_768, name).to.equal(0)
    expect(files().filter((name) => name.includes('building'))).to.deep.equal([])
    expect(store.wal()).to.equal(0)
    expect(statSync(fileIn(directory.path)).mode & 0o777).to.equal(0o600)
  })

  it('drop what a rebuild left behind when its process ended', async () => {
    await live(await open(), contacts({ kind: 'a' }))
    await opened[0]!.close()
    const child = new Child('rebuild-views', [fileIn(directory.path), 'never'])
    await child.line(0)
    await child.end('SIGKILL')
    expect(files()).to.include('views.db.building')
    const store = await open()
    expect(files().join()).not.to.include('building')
    expect([await builtOf(store), await ids(store.live, { where: inWorkspace })]).to.deep.equal(['first', [1]])
  })

  it('drop what a rebuild left behind that failed', async () => {
    const store = await open()
    await live(store, contacts({ kind: 'a' }))
    writeFileSync(`${fileIn(directory.path)}.building`, 'rubbish')
    writeFileSync(`${fileIn(directory.path)}.building-wal`, 'rubbish')
    const building = await store.rebuild(builtFrom('next'))
    expect(await building.count('contacts', {})).to.equal(0)
    await building.takeOver()
    expect(await builtOf(store)).to.equal('next')
  })

  it('stay of one size over many rebuilds', async () => {
    const store = await open()
    const documents = contacts(
      ...Array.from({ length: 500 }, (_, n) => ({ kind: `k${n % 5}`, text: 'x'.repeat(1000) })),
    )
    const sizes: number[] = []
    for (let n = 0; n < 10; n++) {
      await live(store, documents)
      await store.live.apply(changes('contacts', documents, 1000), 2000)
      sizes.push(files().reduce((sum, name) => sum + statSync(path.join(directory.path, name)).size, 0))
    }
    expect(Math.max(...sizes)).to.be.lessThan(sizes[0]! * 1.5)
  })

  for (const [what, spoil, reason] of [
    ['is cut short', (whole: Buffer) => whole.subarray(0, 100_000), /malformed/],
    ['is cut very short', (whole: Buffer) => whole.subarray(0, 100), /cannot be used/],
    ['is something else', () => Buffer.alloc(100_000, 'x'), /not a database/],
    ['is a directory', () => undefined, /is not a file/],
    ['is empty', () => Buffer.alloc(0), /not complete/],
  ] as const) {
    it(`throw away a file that ${what}, and say so`, async () => {
      await live(await open(), contacts(...Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) }))))
      await opened[0]!.close()
      const spoiled = spoil(readFileSync(fileIn(directory.path)))
      for (const name of files()) rmSync(path.join(directory.path, name))
      if (spoiled) writeFileSync(fileIn(directory.path), spoiled)
      else mkdirSync(fileIn(directory.path))
      const store = await open()
      expect(await builtOf(store)).to.equal(undefined)
      expect(said).to.have.length(1)
      expect(said[0]).to.include(fileIn(directory.path)).and.include('built anew').and.match(reason)
      expect(files()).to.deep.equal([])
      await live(store, contacts({ kind: 'a' }))
      expect(await builtOf(await reopen())).to.equal('first')
    })
  }

  it('start empty, and silently, when the file is gone', async () => {
    await live(await open(), contacts({ kind: 'a' }))
    await opened[0]!.close()
    rmSync(fileIn(directory.path))
    writeFileSync(`${fileIn(directory.path)}-wal`, 'what is left of another')
    const store = await open()
    expect([await builtOf(store), await store.live.get('contacts', 1), said]).to.deep.equal([undefined, undefined, []])
    expect(files()).to.deep.equal([])
  })

  it('discard read models that were built from another log', async () => {
    await live(await open(collections, 'one'), contacts({ kind: 'a' }))
    expect(await builtOf(await reopen(collections, 'one'))).to.equal('first')
    expect(await builtOf(await reopen())).to.equal('first')
    expect(said).to.deep.equal([])
    expect(await builtOf(await reopen(collections, 'other'))).to.equal(undefined)
    expect(said.join()).to.include('another log')
  })

  it('are discarded on request', async () => {
    const store = await open()
    const models = await live(store, contacts({ kind: 'a' }))
    await store.discard()
    expect([await builtOf(store), models.get('contacts', 1), models.checkpoint()]).to.deep.equal([
      undefined,
      undefined,
      -1,
    ])
    expect(files()).to.deep.equal([])
    await live(store, contacts({ kind: 'b' }))
    expect(models.get('contacts', 1)).to.have.property('kind', 'b')
    expect((await reopen()).live.get('contacts', 1)).to.have.property('kind', 'b')
  })

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

  it('store nothing of an apply that contains a value that is not JSON', async () => {
    const models = await live(await open(), contacts({ kind: 'a' }, { kind: 'a' }))
    const bad = { id: 3, workspace: 1, kind: 'a', number: 2n ** 80n } as unknown as Document
    const error = await thrown(() => models.apply(changes('contacts', [...contacts({ kind: 'b' }), bad], 5), 6))
    expect(error).to.be.instanceOf(TypeError)
    expect(await models.checkpoint()).to.equal(1)
    expect(await ids(models, { where: { workspace: 1, kind: 'a' } })).to.deep.equal([1, 2])
    await models.apply(changes('contacts', contacts({ kind: 'c' }, { kind: 'c' }), 7), 8)
    for (const [kind, expected] of [
      ['a', []],
      ['b', []],
      ['c', [1, 2]],
    ] as const) {
      expect(await ids(models, { where: { workspace: 1, kind } })).to.deep.equal(expected)
    }
  })

  it('hold many documents of many shapes, written at once, now and when opened again', async () => {
    const store = await open()
    const building = await store.rebuild(builtFrom('rounds'))
    for (let round = 1; round <= 8; round++) await building.apply(...appliedIn(round))
    await building.ready()
    for (let round = 9; round <= 10; round++) await building.apply(...appliedIn(round))
    await building.takeOver()
    for (let round = 11; round <= 24; round++) await store.live.apply(...appliedIn(round))
    expect(await checkRounds(store.live, 10)).to.equal(24)
    expect(await checkRounds((await reopen()).live, 10)).to.equal(24)
  })

  it('continue with the indexes that the live generation was built with', async () => {
    const models = await live(await open(), contacts({ kind: 'a', email: 'x' }))
    const changed: CollectionSpec[] = [
      { name: 'contacts', indexes: [{ fields: ['email'] }] },
      { name: 'notes', indexes: [{ fields: ['text'] }] },
      { name: 'strangers', indexes: [{ fields: ['name'] }] },
    ]
    const store = await reopen(changed)
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
    const building = await store.rebuild(builtFrom('second'))
    await building.apply(changes('contacts', contacts({ email: 'x' })), 8)
    await building.takeOver()
    expect(await ids(store.live, { where: { email: 'x' } })).to.deep.equal([1])
  })
})

describe('The SQLite read models, while documents wait to be written', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let store: SqliteReadModels
  /** Documents that are counted in several turns of the event loop. */
  const many = byForm(15_000, 45_000)
  before(async () => {
    directory = temporaryDirectory()
    store = await openSqliteReadModels(fileIn(directory.path), collections)
    await live(store, contacts(...Array.from({ length: many }, (_, n) => ({ kind: n % 2 ? 'odd' : 'even', score: n }))))
  })
  after(async () => {
    await store.close()
    directory.remove()
  })

  it('count stored and pending documents over several turns of the event loop', async () => {
    expect(await store.live.count('contacts', inWorkspace)).to.equal(many)
    expect(await store.live.count('contacts', { ...inWorkspace, kind: 'odd' }, many)).to.equal(many / 2)
    expect(await store.live.count('contacts', inWorkspace, many / 3)).to.equal(many / 3)
    const added = [
      { id: many + 1, workspace: 1, kind: 'odd' },
      { id: 1, workspace: 2 },
      { id: 2, workspace: 1, kind: 'even' },
    ]
    await store.live.apply(changes('contacts', added, many), many + 2)
    expect(await store.live.count('contacts', inWorkspace)).to.equal(many)
    expect(await store.live.count('contacts', { ...inWorkspace, kind: 'odd' })).to.equal(many / 2)
    await store.landed()
    expect(await store.live.count('contacts', { ...inWorkspace, kind: 'odd' })).to.equal(many / 2)
  }).timeout(60_000)

  it('list pending documents in order, and leave out the versions they replace', async () => {
    const moved = [
      { id: 10, workspace: 1, kind: 'odd', score: 100_000 },
      { id: 100, workspace: 1, kind: 'even', score: -1 },
      { id: 101, workspace: 9, kind: 'even', score: 0 },
    ]
    await store.live.apply([...changes('contacts', moved, 50_000), removal('contacts', 102, 50_003)], 50_003)
    const byScore = { where: inWorkspace, sort: { by: 'score' }, limit: 3 }
    expect(await ids(store.live, byScore)).to.deep.equal([2, many + 1, 100])
    expect(await ids(store.live, { ...byScore, sort: { by: 'score', descending: true } })).to.deep.equal([
      10,
      many,
      many - 1,
    ])
    expect(await ids(store.live, { ...byScore, after: { id: 100, value: -1 } })).to.deep.equal([3, 4, 5])
    expect(await ids(store.live, { where: inWorkspace, after: 98, limit: 4 })).to.deep.equal([99, 100, 103, 104])
    expect(await store.findIds('contacts', { where: inWorkspace, after: 98, limit: 4 })).to.deep.equal([
      99, 100, 103, 104,
    ])
    await store.landed()
    expect(await ids(store.live, { ...byScore, after: { id: 100, value: -1 } })).to.deep.equal([3, 4, 5])
    expect(await ids(store.live, { where: inWorkspace, after: 98, limit: 4 })).to.deep.equal([99, 100, 103, 104])
  })
})

describe('The SQLite read models of a collection with integer ids', () => {
  let current: OpenReadModels
  const asIntegers = { name: 'contacts', ids: 'integer', indexes: collections[0]!.indexes } as const
  beforeEach(async () => {
    current = await openedBy(openSqliteReadModels)([asIntegers])
  })
  afterEach(() => current.cleanup())

  modelled(() => current, undefined, 'integer')

  it('do not take a text for a number', async () => {
    const models = await live(current.store, contacts({ kind: 'a' }, { kind: 'b' }, { kind: 'a' }))
    expect(models.get('contacts', '2')).to.equal(undefined)
    expect(models.get('contacts', 2.5)).to.equal(undefined)
    expect(await models.getMany('contacts', ['2', 2])).to.deep.equal([undefined, models.get('contacts', 2)])
    expect((await models.getMany('contacts', ['1', '2', 2, 3, '3', 'x', 9, 2])).map((one) => one?.id)).to.deep.equal([
      undefined,
      undefined,
      2,
      3,
      undefined,
      undefined,
      undefined,
      2,
    ])
    const found = (where: object) => ids(models, { where: { ...inWorkspace, ...where } })
    expect(await found({ id: { $in: ['1', '2', 3] } })).to.deep.equal([3])
    expect(await found({ id: '2' })).to.deep.equal([])
    expect(await found({ id: { $gt: '1' } })).to.deep.equal([])
    expect(await found({ id: { $lte: '2' } })).to.deep.equal([])
    expect(await found({ id: { $gt: 1.5, $lt: Number.POSITIVE_INFINITY } })).to.deep.equal([2, 3])
    expect(await found({ id: { $lt: true } })).to.deep.equal([])
    expect(await ids(models, { where: inWorkspace, after: '1' })).to.deep.equal([])
    expect(await ids(models, { where: {}, after: '1', sort: { by: 'id', descending: true } })).to.deep.equal([3, 2, 1])
  })

  it('refuse another id', async () => {
    const models = await live(current.store, [])
    for (const id of ['a', 0.5, 2 ** 60]) {
      const error = await thrown(() => models.apply(changes('contacts', [{ id }]), 1))
      expect(error.message).to.include(`${id} is not an integer`)
    }
  })
})

function appliedIn(round: number): [ReturnType<typeof changesIn>['changes'], number] {
  const { changes, checkpoint } = changesIn(round, 10)
  return [changes, checkpoint]
}
