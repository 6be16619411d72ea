import { expect } from 'chai'
import type { Change, CollectionSpec } from '../../../domain/kernel/ports/read-models.ts'
import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import { type MongoReadModels, openReadModelsOn } from '../../../infra/read-models/mongodb/store.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { builtFrom } from '../read-models/setting.ts'

const collections: readonly CollectionSpec[] = ['store/thing', 'other', 'third'].map((name) => ({ name, indexes: [] }))
const put = (collection: string, position: number): Change => ({ collection, id: 1, document: { id: 1 }, position })

for (const server of mongoServers) {
  describe('the last changes of collections on MongoDB', () => {
    describeOn(server, ({ url }) => {
      let connection: MongoConnection
      let database: string
      let writer: MongoReadModels
      let reader: MongoReadModels
      const commands: string[] = []

      const open = () => openReadModelsOn(connection, { collections, database })
      const build = async (changes: readonly Change[], checkpoint: number) => {
        const rebuild = await writer.rebuild(builtFrom('f'))
        await rebuild.apply(changes, checkpoint)
        await rebuild.takeOver()
      }
      /** Positions of the newest changes, as another process reads them. */
      const positions = async () => {
        const changes = await reader.lastChanges()
        return changes && collections.map(({ name }) => changes.positionOf([name]))
      }

      before(async () => {
        const onCommand = (name: string, came: string) => came === 'sent' && commands.push(name)
        connection = await connectMongo({ url: await url(), patienceMs: 10_000, onCommand })
      })
      after(() => connection.close())
      beforeEach(async () => {
        database = fresh('t').slice(0, 30)
        writer = await open()
        await build([put('store/thing', 0)], 0)
        reader = await open()
        await writer.live.apply([put('store/thing', 5), put('other', 3)], 5)
        await writer.live.apply([put('store/thing', 6)], 6)
      })
      afterEach(async () => {
        await writer.close()
        await reader.close()
        await connection.db(database).dropDatabase()
      })

      it('are the positions of the batches that changed them, or may have', async () => {
        const changes = await reader.lastChanges()
        expect(changes!.positionOf(['store/thing', 'other'])).to.equal(6)
        await writer.live.apply([put('other', 7)], 8)
        await writer.live.apply([], 9)
        expect(await positions()).to.deep.equal([6, 8, 0])
        // A crash left the document written. The events are applied again, and change nothing.
        await writer.live.apply([], 10, ['third'])
        expect(await positions()).to.deep.equal([6, 8, 10])
        expect(changes!.positionOf(['other']), 'what was read stays as it was').to.equal(5)
      })

      it('are those of all collections once another process has written', async () => {
        const other = await open()
        await other.live.apply([put('other', 7)], 7)
        expect(await positions()).to.deep.equal([7, 7, 7])
        await other.live.apply([put('other', 8)], 8)
        expect(await positions()).to.deep.equal([7, 8, 7])
        await writer.live.apply([put('other', 9)], 9)
        expect(await positions()).to.deep.equal([9, 9, 9])
        await other.close()
      })

      it('are not known while an earlier version writes, which notes none', async () => {
        const table = connection.db(database).collection<{ _id: string }>('read_models')
        const { generation } = (await reader.lastChanges())!
        await table.updateOne({ _id: `g${generation}` }, { $max: { position: 20 } })
        expect(await positions()).to.equal(undefined)
        await writer.live.apply([], 21)
        expect(await positions()).to.deep.equal([21, 21, 21])
      })

      it('name their generation, and are asked for once for all who ask at the same moment', async () => {
        const { generation } = (await reader.lastChanges())!
        await build([put('store/thing', 9)], 9)
        await reader.refresh()
        commands.length = 0
        const all = await Promise.all(Array.from({ length: 500 }, () => reader.lastChanges()))
        expect(commands).to.deep.equal(['find'])
        expect(new Set(all.map((changes) => changes!.generation))).to.deep.equal(new Set([generation + 1]))
      })
    })
  })
}
