import path from 'node:path'
import { expect } from 'chai'
import { connectMongo, type MongoConnection } from '../../infra/mongodb/connection.ts'
import { openMongoShortTermStore } from '../../infra/mongodb/short-term-store.ts'
import { openShortTermStore } from '../../infra/sqlite/short-term-store.ts'
import { describeOn, mongoServers } from '../support/servers/mongo-servers.ts'
import { fresh } from './event-log/setting.ts'
import { shortTermStoreContract } from './short-term-store.contract.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('the short-term store', () => {
  describe('in a file', () => {
    const directory = temporaryDirectory()
    const file = path.join(directory.path, 'short-term.db')
    const store = openShortTermStore(file)
    after(() => {
      store.close()
      directory.remove()
    })
    shortTermStoreContract(async () => store)

    it('has what was written when it is opened again', async () => {
      await store.put({ kind: 'code', key: 'z' }, { data: { n: 1 }, until: null })
      const again = openShortTermStore(file)
      expect(await again.get({ kind: 'code', key: 'z' }, 0)).to.deep.equal({ n: 1 })
      again.close()
    })
  })

  for (const server of mongoServers) {
    describeOn(server, ({ url }) => {
      const database = fresh('t').slice(0, 30)
      let connection: MongoConnection
      before(async () => {
        connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
      })
      after(async () => {
        await connection.db(database).dropDatabase()
        await connection.close()
      })
      shortTermStoreContract(() => openMongoShortTermStore(connection, database))
    })
  }
})
