import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Change, CollectionSpec } from '../../../../domain/kernel/ports/read-models.ts'
import type { BulkLoad } from '../../../../infra/read-models/sqlite/rebuild/bulk-load.ts'
import { RowSender } from '../../../../infra/read-models/sqlite/rebuild/row-sender.ts'
import { openSqliteReadModels, type SqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { StorageUnavailable } from '../../../../infra/sqlite/failures.ts'
import { mountSmallDisk } from '../../../reliability/storage/small-disk.ts'

const SPECS: readonly CollectionSpec[] = [
  { name: 'people', ids: 'integer', indexes: [{ fields: ['tags'] }, { fields: ['name'], sort: 'age' }] },
  { name: 'former', indexes: [{ fields: ['key'] }] },
]
const LONG = 'x'.repeat(1000)

const person = (id: number): Change => {
  const document = { id, name: `Name ${id % 7}`, age: id % 90, tags: id % 3 === 0 ? [id % 5, 9] : [], text: LONG }
  return { collection: 'people', id, document, position: id }
}
const former = (key: string): Change => ({ collection: 'former', id: key, document: { id: key, key }, position: 1 })
const people = (from: number, count: number) => Array.from({ length: count }, (_, n) => person(from + n))

describe('a bulk load of read models', () => {
  let directory: string
  let store: SqliteReadModels
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'millrace-bulk-'))
    store = await openSqliteReadModels(join(directory, 'views.db'), SPECS)
  })
  afterEach(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const sendersOf = async (load: BulkLoad): Promise<readonly RowSender[]> => {
    const collections = await load.look()
    return load.channels.map((channel) => new RowSender(channel, collections))
  }

  it('holds what all senders have sent, found by its indexes, and goes on as any rebuild', async () => {
    const load = await store.load(2)
    const [one, other] = await sendersOf(load)
    one!.add([...people(1, 1500), former('ä\0b')])
    other!.add([...people(1501, 500), former('c')])
    for (const sender of [one!, other!]) sender.drain()
    await load.finish()
    const building = await store.rebuildOn(load, new Map())
    expect(await building.checkpoint()).to.equal(-1)
    await building.apply([{ ...person(7), document: { id: 7, name: 'Late', tags: [9] }, position: 3000 }], 3000)
    await building.takeOver()
    const { live } = store
    expect(await live.checkpoint()).to.equal(3000)
    expect(await live.count('people', { tags: 9 })).to.equal(Math.floor(2000 / 3) + 1)
    expect(await live.find('people', { where: { name: 'Late' }, sort: { by: 'age' } })).to.have.length(1)
    expect(await live.find('former', { where: { key: 'ä\0b' } })).to.have.length(1)
    expect(await live.get('people', 2000)).to.deep.equal(person(2000).document)
  })

  it('fails for a document that comes twice, lets nobody wait, and leaves nothing', async () => {
    const load = await store.load(1)
    const [sender] = await sendersOf(load)
    sender!.add([person(1)])
    sender!.drain()
    for (let n = 0; n < 20 && !sender!.isStopped; n++) sender!.add(people(1, 500))
    sender!.drain()
    expect(sender!.isStopped).to.equal(true)
    const error = await load.finish().catch((reason: Error) => reason)
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/UNIQUE/)
    await load.abandon()
    expect(existsSync(join(directory, 'views.db.building'))).to.equal(false)
  })

  it('is over when another rebuild begins, or the store closes', async () => {
    const first = await store.load(1)
    const [sender] = await sendersOf(first)
    const second = await store.load(1)
    expect(sender!.isStopped).to.equal(true)
    for (const use of [() => first.look(), () => store.rebuildOn(first, new Map())])
      expect(await use().catch((reason: Error) => reason.message)).to.match(/is over/)
    await store.close()
    expect(await second.finish().catch((reason: Error) => reason.message)).to.match(/is over/)
  })

  it('reports a full disk, and can be restarted when there is space', async function () {
    const disk = mountSmallDisk(16)
    if (typeof disk === 'string') return this.skip()
    try {
      const small = await openSqliteReadModels(join(disk.path, 'views.db'), SPECS)
      const load = await small.load(1)
      const [sender] = await sendersOf(load)
      for (let n = 0; n < 100 && !sender!.isStopped; n++) sender!.add(people(1 + 500 * n, 500))
      sender!.drain()
      const error = await load.finish().catch((reason: Error) => reason)
      expect(error).to.be.instanceOf(StorageUnavailable).and.have.property('trouble', 'full')
      await load.abandon()
      const again = await small.load(1)
      const [next] = await sendersOf(again)
      next!.add(people(1, 500))
      next!.drain()
      await again.finish()
      await (await small.rebuildOn(again, new Map())).takeOver()
      expect(await small.live.get('people', 500)).to.be.an('object')
      await small.close()
    } finally {
      disk.unmount()
    }
  })
})
