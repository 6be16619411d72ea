import { expect } from 'chai'
import type { Db } from 'mongodb'
import type { Change, CollectionSpec, Document, Rebuild } from '../../../domain/kernel/ports/read-models.ts'
import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import { sweep } from '../../../infra/read-models/mongodb/pointer.ts'
import { type MongoReadModels, openReadModelsOn } from '../../../infra/read-models/mongodb/store.ts'
import { watching } from '../../../infra/runtime/progress.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { builtFrom } from '../read-models/setting.ts'

const THINGS = 'store/thing'
const collections: readonly CollectionSpec[] = [
  { name: THINGS, indexes: [{ fields: ['shelf'] }, { fields: ['shelf'], sort: 'weight' }] },
  { name: 'other', indexes: [] },
]
const put = (id: number | string, position: number, fields: object = {}): Change => ({
  collection: THINGS,
  id,
  document: { id, ...fields } as Document,
  position,
})
const remove = (id: number | string, position: number): Change => ({ collection: THINGS, id, document: null, position })

const refused = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'was not refused',
    (error: Error) => error.message,
  )

for (const server of mongoServers) {
  describe('Read models on MongoDB, as several processes use them', () => {
    describeOn(server, ({ url }) => {
      let connection: MongoConnection
      let database: string
      const opened: MongoReadModels[] = []

      const open = async (graceMs = 0): Promise<MongoReadModels> => {
        const store = await openReadModelsOn(connection, { collections, database, graceMs })
        opened.push(store)
        return store
      }
      const build = async (
        store: MongoReadModels,
        changes: readonly Change[] = [],
        checkpoint = 0,
      ): Promise<Rebuild> => {
        const rebuild = await store.rebuild(builtFrom('f'))
        await rebuild.apply(changes, checkpoint)
        return rebuild
      }
      const names = async () =>
        (await connection.db(database).listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)

      before(async () => {
        connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
      })
      after(() => connection.close())
      beforeEach(() => {
        database = fresh('t').slice(0, 30)
      })
      afterEach(async () => {
        for (const store of opened.splice(0)) await store.close()
        await connection.db(database).dropDatabase()
      })

      it('gives the same documents whether one projector or three apply the events, in batches of any size', async () => {
        const { below } = random(seedOfRun())
        const history = Array.from({ length: 400 }, (_, position) => {
          const id = below(25)
          return below(4) === 0 ? remove(id, position) : put(id, position, { weight: position })
        })
        const expected = new Map(history.map((change) => [change.id, change.document ?? undefined]))
        const stores = [await open(1000), await open(1000), await open(1000)]
        await (await build(stores[0]!)).takeOver()
        const project = async ({ live }: MongoReadModels) => {
          for (let from = 0; from < history.length; ) {
            const batch = history.slice(from, from + 1 + below(60))
            await live.apply(batch, batch.at(-1)!.position)
            from += batch.length
          }
        }
        await Promise.all(stores.map(project))
        const ids = [...expected.keys()]
        expect(await stores[0]!.live.getMany(THINGS, ids)).to.deep.equal([...expected.values()])
        expect(await stores[1]!.live.checkpoint()).to.equal(399)
      })

      it('lets no older version of a document come in, also not of a removed one, from a projector that lags behind', async () => {
        const [quick, slow] = [await open(), await open()]
        await (await build(quick, [put(1, 0), put(2, 0)])).takeOver()
        expect(await slow.live.checkpoint()).to.equal(0)
        await slow.live.apply([], 1)
        await quick.live.apply([put(1, 9, { weight: 9 }), remove(2, 8), remove(3, 7)], 9)
        await slow.live.apply([put(1, 5, { weight: 5 }), put(2, 5), put(3, 6), put(4, 6)], 6)
        const all = await slow.live.find(THINGS, { where: {} })
        expect(all).to.deep.equal([{ id: 1, weight: 9 }, { id: 4 }])
        expect(await slow.live.count(THINGS, {})).to.equal(2)
        expect(await slow.live.checkpoint()).to.equal(9)
      })

      it('lets another process wait for a position, without a question while nobody does', async () => {
        const commands: string[] = []
        const onCommand = (name: string, came: string) => came === 'sent' && commands.push(name)
        const apart = await connectMongo({ url: await url(), patienceMs: 10_000, onCommand })
        const [writer, reader] = [await open(), await openReadModelsOn(apart, { collections, database })]
        await (await build(writer, [put(1, 0)])).takeOver()
        const watcher = watching(reader)
        expect(await watcher.reached(0, 5000)).to.equal(true)
        commands.length = 0
        await new Promise((resolve) => setTimeout(resolve, 300))
        expect(commands).to.deep.equal([])
        const waiting = Promise.all([1, 2, 2, 2].map((position) => watcher.reached(position, 5000)))
        await writer.live.apply([put(1, 1)], 1)
        await writer.live.apply([put(1, 2)], 2)
        expect(await waiting).to.deep.equal([true, true, true, true])
        // The same holds in another generation.
        await (await build(writer, [put(1, 9)], 9)).takeOver()
        expect(await watcher.reached(9, 5000)).to.equal(true)
        await watcher.stop()
        await reader.close()
        await apart.close()
      })

      it('asks which generation is live while it writes, and writes to the one that has taken over as well', async () => {
        let [flying, rounds] = [0, 0]
        const onCommand = (_: string, came: string) => {
          if (came === 'ended') flying--
          else if (flying++ === 0) rounds++
        }
        const apart = await connectMongo({ url: await url(), patienceMs: 10_000, onCommand })
        const store = await openReadModelsOn(apart, { collections, database, graceMs: 60_000 })
        await (await build(store, [put(1, 0)])).takeOver()
        await store.live.apply([{ ...put(2, 1), isNew: true }], 1)
        // By then enough connections are open, and the cached pointer is too old.
        await Promise.all([1, 2, 3, 4].map((id) => store.live.getMany(THINGS, [id])))
        await new Promise((resolve) => setTimeout(resolve, 1100))
        rounds = 0
        await store.live.apply([{ ...put(3, 2), isNew: true }], 2)
        expect(rounds).to.be.at.most(2)
        const other = await open(60_000)
        await (await build(other, [put(1, 0), put(2, 1), put(3, 2)], 2)).takeOver()
        await new Promise((resolve) => setTimeout(resolve, 1100))
        await store.live.apply([{ ...put(4, 3), isNew: true }], 3)
        expect(await other.live.getMany(THINGS, [3, 4])).to.deep.equal([{ id: 3 }, { id: 4 }])
        expect(await other.live.checkpoint()).to.equal(3)
        await store.close()
        await apart.close()
      })

      it('gives back documents whose field names mean something to MongoDB', async () => {
        const store = await open()
        const awkward = {
          'a.b': 1,
          $set: [{ $ne: { 'c.': 0 } }],
          _id: 'x',
          _position: 7,
          _removed: true,
          '100%': '%2e',
        }
        const document = { ...awkward, nested: { ...awkward, '': { '\0': null } }, dotted: { 'a.b': 1 }, shelf: 3 }
        await (await build(store, [put('k', 0, document), put('l', 0, { shelf: 3, weight: 1 })])).takeOver()
        expect(await store.live.get(THINGS, 'k')).to.deep.equal({ id: 'k', ...document })
        expect(await store.live.find(THINGS, { where: { shelf: 3, '100%': '%2e' } })).to.have.length(1)
        expect(await store.live.find(THINGS, { where: { shelf: 3, dotted: { 'a.b': 1 } } })).to.have.length(1)
      })

      it('shows every process the generation that took over in another, and drops the one before', async () => {
        const [one, other] = [await open(), await open()]
        const first = await build(one, [put(1, 0, { weight: 1 })])
        expect(await other.live.get(THINGS, 1)).to.equal(undefined)
        await first.takeOver()
        expect(await other.live.get(THINGS, 1)).to.deep.equal({ id: 1, weight: 1 })
        const second = await build(one, [put(1, 0, { weight: 2 })])
        expect(await other.live.get(THINGS, 1)).to.deep.equal({ id: 1, weight: 1 })
        await second.takeOver()
        await new Promise((resolve) => setTimeout(resolve, 1050))
        expect(await other.live.get(THINGS, 1)).to.deep.equal({ id: 1, weight: 2 })
        expect(await other.refresh()).to.equal(false)
        expect((await names()).filter((name) => name.includes(THINGS))).to.deep.equal([`g2:${THINGS}`])
      })

      it('keeps a replaced generation for a time of grace', async () => {
        const store = await open(300)
        await (await build(store, [put(1, 0)])).takeOver()
        await (await build(store, [put(1, 0)])).takeOver()
        expect(await names()).to.include(`g1:${THINGS}`)
        for (let tries = 0; (await names()).includes(`g1:${THINGS}`); tries++) {
          expect(tries).to.be.lessThan(100)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        expect(await names()).to.include(`g2:${THINGS}`)
      })

      it('leaves alone what is started between the two looks of a sweep', async () => {
        const store = await open()
        await (await build(store, [put(1, 0)])).takeOver()
        const db = connection.db(database)
        const listed = async () => {
          await (await build(store, [put(2, 0)])).takeOver()
          await build(store, [put(3, 0)])
          return db.listCollections({}, { nameOnly: true }).toArray()
        }
        const late: Db = Object.assign(Object.create(db), { listCollections: () => ({ toArray: listed }) })
        await sweep(late, Date.now(), 0)
        expect((await store.live.find(THINGS, { where: {} })).map(({ id }) => id)).to.deep.equal([2])
        expect((await names()).filter((name) => name.endsWith(THINGS))).to.have.lengthOf(2)
        expect(await store.live.checkpoint()).to.equal(0)
      })

      it('refuses to continue after a position that another process has reverted', async () => {
        const [one, other] = [await open(), await open()]
        await (await build(one)).takeOver()
        await other.refresh()
        await other.live.apply([put(1, 5)], 5)
        await (await build(one, [put(1, 3)], 3)).takeOver()
        await other.refresh()
        for (let tries = 0; tries < 2; tries++) {
          expect(await refused(other.live.apply([put(1, 6)], 6))).to.include('continue behind the checkpoint')
        }
        expect(await other.live.checkpoint()).to.equal(3)
        await other.live.apply([put(1, 5), put(2, 6)], 6)
        expect(await one.live.checkpoint()).to.equal(6)
      })

      it('drops a rebuild for one that another process begins later', async () => {
        const [one, other] = [await open(), await open()]
        const early = await build(one, [put(1, 0)])
        const late = await build(other, [put(2, 0)])
        expect(await refused(early.takeOver())).to.include('a newer rebuild')
        await late.takeOver()
        await one.refresh()
        expect(await one.live.find(THINGS, { where: {} })).to.deep.equal([{ id: 2 }])
        expect((await names()).filter((name) => name.startsWith('g1:'))).to.deep.equal([])
      })
    })
  })
}
