import { existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { type CollectionSpec, UNMAINTAINED } from '../../../../domain/kernel/ports/read-models.ts'
import { openSqliteReadModels, type SqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { connect } from '../../../../infra/sqlite/binding.ts'
import { StorageUnavailable } from '../../../../infra/sqlite/failures.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'
import { builtFrom, builtOf, changes, collections, contacts, ids, inWorkspace, live, thrown } from '../setting.ts'

const LONG = { timeout: 60_000 }

describe('The SQLite read models in use', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let file: string
  let opened: SqliteReadModels[]
  let said: string[]
  beforeEach(() => {
    directory = temporaryDirectory()
    file = path.join(directory.path, 'views.db')
    opened = []
    said = []
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    directory.remove()
  })

  async function open(specs: readonly CollectionSpec[] = collections) {
    await opened.at(-1)?.close()
    const store = await openSqliteReadModels(file, specs, { onDamage: (message) => said.push(message) })
    opened.push(store)
    return store
  }

  const many = (count: number, fields: object = {}) =>
    contacts(
      ...Array.from({ length: count }, (_, n) => ({
        score: n,
        text: 'x'.repeat(500),
        tags: [n % 7, 'all'],
        ...fields,
      })),
    )

  it('always find documents while generations succeed each other and changes are applied', async () => {
    const store = await open()
    const models = await live(store, many(300))
    let isOver = false
    const reading = (async () => {
      let reads = 0
      for (; !isOver; reads++) {
        expect(models.get('contacts', 7)).to.have.property('id', 7)
        expect(await models.find('contacts', { where: { ...inWorkspace, tags: 'all' }, limit: 20 })).to.have.length(20)
        expect(await models.count('contacts', { ...inWorkspace, odd: null })).to.equal(300)
        await turn()
      }
      return reads
    })()
    const writing = (async () => {
      for (let n = 0; !isOver; n++)
        await models.apply(changes('contacts', many(20, { kind: `k${n}` }), 1000 * (n + 1)), 1000 * (n + 2))
    })()
    for (let n = 0; n < 6; n++) {
      const building = await store.rebuild(builtFrom(`next ${n}`))
      for (let batch = 0; batch < 3; batch++)
        await building.apply(changes('contacts', many(300), batch * 300), batch * 300 + 299)
      await building.ready()
      await building.takeOver()
      expect(await builtOf(store)).to.equal(`next ${n}`)
    }
    isOver = true
    await writing
    expect(await reading).to.be.greaterThan(10)
    expect(said).to.deep.equal([])
    expect(await builtOf(await open())).to.equal('next 5')
    expect(await opened.at(-1)!.live.count('contacts', inWorkspace)).to.equal(300)
  })

  it('finish their reads when another generation takes over, and yield the thread meanwhile', async () => {
    const store = await open()
    const models = await live(store, many(6000, { odd: true }))
    const building = await store.rebuild(builtFrom('next'))
    const found = models.find('contacts', { where: { ...inWorkspace, odd: true } })
    const counted = models.count('contacts', { ...inWorkspace, odd: true })
    expect([found instanceof Promise, counted instanceof Promise]).to.deep.equal([true, true])
    // Of processor time: a busy machine may keep the thread from running for as long as it likes.
    let longest = 0
    let last = process.cpuUsage()
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(last)
      longest = Math.max(longest, (user + system) / 1000)
      last = process.cpuUsage()
    }, 1)
    await building.takeOver()
    expect(await models.count('contacts', inWorkspace)).to.equal(0)
    expect(await found).to.have.length(6000)
    expect(await counted).to.equal(6000)
    clearInterval(watch)
    expect(longest).to.be.lessThan(300)
  })

  it('are not disturbed by another program that reads the file while it is replaced', async () => {
    const store = await open()
    const models = await live(store, many(100))
    await models.apply(changes('contacts', many(100, { kind: 'a' }), 500), 600)
    const outside = connect(file, true)
    outside.exec('BEGIN')
    const names = outside.prepare('SELECT count(*) AS n FROM "contacts"')
    expect(names.get()).to.deep.include({ n: 100 })
    await models.apply(changes('contacts', many(100, { kind: 'b' }), 700), 800)
    await live(store, many(50))
    await models.apply(changes('contacts', many(50, { kind: 'c' }), 900), 1000)
    await store.landed()
    expect(names.get()).to.deep.include({ n: 100 })
    outside.exec('COMMIT')
    outside.close()
    const log = `${file}-wal`
    expect(existsSync(log) && statSync(log).size).to.be.greaterThan(0)
    expect(readdirSync(directory.path).join()).not.to.include('damaged')
    expect(await (await open()).live.count('contacts', { workspace: 1, kind: 'c' })).to.equal(50)
    expect(said).to.deep.equal([])
  }).timeout(LONG.timeout)

  it('are built anew after a crash amid being replaced', async () => {
    await live(await open(), many(100))
    await opened[0]!.close()
    writeFileSync(`${file}-damaged`, 'it was being replaced')
    expect(await builtOf(await open())).to.equal(undefined)
    expect(said.join()).to.include('it was being replaced')
    expect(readdirSync(directory.path)).to.deep.equal([])
  })

  it('drop a collection that is no longer declared in pieces, while others are read and written', async () => {
    const extra: CollectionSpec = { name: 'old', indexes: [{ fields: ['score'] }, { fields: ['tags'], sort: 'score' }] }
    const store = await open([...collections, extra])
    const building = await store.rebuild(builtFrom('first'))
    await building.apply([...changes('old', many(8000)), ...changes('contacts', many(200))], 8000)
    await building.takeOver()
    const { live: models, ...later } = { live: (await open()).live }
    expect(later).to.deep.equal({})
    expect(opened.at(-1)!.fingerprints()!.get('old')).to.deep.equal(UNMAINTAINED)
    const left = () => {
      const db = connect(file, true)
      const rows = db.prepare("SELECT name FROM sqlite_schema WHERE tbl_name LIKE 'old%'").all()
      db.close()
      return rows.length
    }
    expect(left()).to.be.greaterThan(0)
    let position = 9000
    for (; left() > 0; position++) {
      await models.apply(changes('contacts', contacts({ score: position, tags: ['all'] }), position), position)
      expect(await models.find('contacts', { where: { workspace: 1, tags: 'all' } })).to.have.length(200)
    }
    expect(position).to.be.greaterThan(9003)
    expect((await thrown(() => models.get('old', 1))).message).to.include('no collection')
    expect(await models.get('contacts', 1)).to.have.property('score', position - 1)
  }).timeout(LONG.timeout)

  for (const [what, spoil] of [
    ['a page', () => overwrite(file, 0.6)],
    ['a document', () => change(file, `UPDATE "contacts#1" SET document = '{' || id WHERE id % 2 = 0`)],
  ] as const) {
    it(`say once that ${what} is damaged, refuse to guess, and are built anew on the next start`, async () => {
      const documents = many(2000)
      await live(await open(), documents)
      await opened[0]!.close()
      spoil()
      const { live: models } = await open()
      const where = { ...inWorkspace, text: { $ne: 'y' } }
      for (let n = 0; n < 2; n++) {
        const error = await thrown(async () => await models.find('contacts', { where }))
        expect(error).to.be.instanceOf(StorageUnavailable).and.include({ trouble: 'damaged' })
        expect(error.message).to.include('Restart the service, which builds them anew')
      }
      expect(said).to.have.length(1)
      expect(readFileSync(`${file}-damaged`, 'utf8')).to.not.equal('')
      const again = await open()
      expect([await builtOf(again), readdirSync(directory.path)]).to.deep.equal([undefined, []])
      expect(said).to.have.length(2)
      await live(again, documents)
      expect(await again.live.count('contacts', where)).to.equal(2000)
    })
  }

  it('are whole again when they are built anew while the service runs', async () => {
    await live(await open(), many(2000))
    await opened[0]!.close()
    overwrite(file, 0.6)
    const store = await open()
    await thrown(async () => await store.live.find('contacts', { where: { ...inWorkspace, text: { $ne: 'y' } } }))
    await live(store, many(10))
    expect(readdirSync(directory.path).join()).not.to.include('damaged')
    expect(await ids(store.live, { where: inWorkspace })).to.have.length(10)
  })

  it('keep the write-ahead log within bounds', async () => {
    const store = await open()
    const models = await live(store, many(1000))
    let most = 0
    for (let n = 1; n <= 75; n++) {
      await models.apply(changes('contacts', many(1000, { kind: `k${n}` }), n * 1000), n * 1000 + 999)
      most = Math.max(most, store.wal())
    }
    expect(most).to.be.lessThan(64 << 20)
    await turn()
    await store.close()
    expect(store.wal()).to.equal(0)
  }).timeout(LONG.timeout)
})

function overwrite(file: string, at: number): void {
  const page = Math.floor((statSync(file).size * at) / 4096)
  writeSync(openSync(file, 'r+'), Buffer.alloc(4096 * 8, 0xff), 0, 4096 * 8, page * 4096)
}

function change(file: string, text: string): void {
  const db = connect(file)
  db.exec(text)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
