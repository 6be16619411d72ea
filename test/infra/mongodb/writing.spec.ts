import { expect } from 'chai'
import type { Collection } from 'mongodb'
import type { Change, Document } from '../../../domain/kernel/ports/read-models.ts'
import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import type { Stored } from '../../../infra/read-models/mongodb/filter.ts'
import { fromStored } from '../../../infra/read-models/mongodb/stored-form.ts'
import { writeChanges } from '../../../infra/read-models/mongodb/write.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'

const at = (position: number, id = 1): Change => ({
  collection: 'c',
  id,
  document: { id, version: position },
  position,
})
const gone = (position: number): Change => ({ collection: 'c', id: 1, document: null, position })

/** A collection in which another write happens between the first read of a writer and its first write. */
const interrupted = (stored: Collection<Stored>, meanwhile: () => Promise<void>): Collection<Stored> => {
  let first = true
  const bulkWrite: Collection<Stored>['bulkWrite'] = async (...parameters) => {
    if (first) {
      first = false
      await meanwhile()
    }
    return stored.bulkWrite(...parameters)
  }
  return new Proxy(stored, {
    get(target, name) {
      const value: unknown = name === 'bulkWrite' ? bulkWrite : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

for (const server of mongoServers) {
  describe('Writing to MongoDB while another process does', () => {
    describeOn(server, ({ url }) => {
      let connection: MongoConnection
      let stored: Collection<Stored>

      before(async () => {
        connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
      })
      after(() => connection.close())
      beforeEach(() => {
        stored = connection.db(fresh('t').slice(0, 30)).collection('c')
      })
      afterEach(() => connection.db(stored.dbName).dropDatabase())

      const document = async (id = 1): Promise<Document | undefined> =>
        fromStored((await stored.findOne({ _id: id })) ?? undefined)

      /** The final document when one write happens in the middle of another. */
      const outcome = async (before: readonly Change[], write: Change, meanwhile: Change): Promise<unknown> => {
        await writeChanges(stored, before)
        await writeChanges(
          interrupted(stored, () => writeChanges(stored, [meanwhile])),
          [write],
        )
        return (await document())?.version
      }

      it('does not replace a document that has become newer', async () => {
        expect(await outcome([at(1)], at(5), at(9))).to.equal(9)
        expect(await outcome([], gone(10), at(12))).to.equal(12)
      })

      it('does not replace a newer document that another process has added', async () => {
        expect(await outcome([], at(5), at(9))).to.equal(9)
      })

      it('replaces an older document that another process has added', async () => {
        expect(await outcome([], at(9), at(5))).to.equal(9)
      })

      it('removes an older document that another process has added', async () => {
        expect(await outcome([], gone(9), at(5))).to.equal(undefined)
      })

      it('does not restore a removed document', async () => {
        expect(await outcome([at(1)], at(5), gone(9))).to.equal(undefined)
        expect(await outcome([], at(11), gone(12))).to.equal(undefined)
      })

      it('does not restore a document that was removed before it was added', async () => {
        expect(await outcome([], at(5), gone(9))).to.equal(undefined)
      })

      it('is not misled by wrong hints about existing documents', async () => {
        await writeChanges(stored, [at(5, 1), at(5, 2), at(5, 3)])
        const told = [
          { ...at(9, 1), isNew: true },
          { ...at(3, 2), isNew: true },
          { ...at(3, 3), isNew: false },
          { ...at(9, 4), isNew: false },
          { ...at(9, 5), isNew: true },
        ]
        await writeChanges(stored, told)
        const versions = await Promise.all([1, 2, 3, 4, 5].map(async (id) => (await document(id))?.version))
        expect(versions).to.deep.equal([9, 5, 5, 9, 9])
      })

      it('writes everything else when one document is outdated', async () => {
        const all = Array.from({ length: 50 }, (_, id) => at(5, id))
        const meanwhile = () => writeChanges(stored, [at(9, 0), at(3, 20), at(9, 49)])
        await writeChanges(interrupted(stored, meanwhile), all)
        for (const [id, version] of [
          [0, 9],
          [1, 5],
          [20, 5],
          [48, 5],
          [49, 9],
        ] as const) {
          expect(await document(id)).to.deep.equal({ id, version })
        }
      })
    })
  })
}
