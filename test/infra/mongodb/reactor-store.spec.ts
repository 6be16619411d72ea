import { expect } from 'chai'
import { connectMongo, MongoConnection } from '../../../infra/mongodb/connection.ts'
import { MongoReactorStore } from '../../../infra/mongodb/reactor-store.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { collect, fresh } from '../event-log/setting.ts'
import { dead, type OpenReactorStore, owed, reactorStoreContract, refused } from '../reactor-store.contract.ts'

/** A connection that fails before one of the operations. */
class Breaking extends MongoConnection {
  left = Number.POSITIVE_INFINITY

  override async retrying<T>(operation: () => Promise<T>): Promise<T> {
    if (this.left-- <= 0) throw new Error('broken off')
    return super.retrying(operation)
  }
}

for (const server of mongoServers) {
  describe('The reactor store on MongoDB', () => {
    describeOn(server, ({ url }) => {
      const openOn = async (): Promise<OpenReactorStore> => {
        const database = fresh('t').slice(0, 30)
        let connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
        return {
          reactorStore: new MongoReactorStore(connection, database),
          async reopen() {
            await connection.close()
            connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
            return new MongoReactorStore(connection, database)
          },
          async cleanup() {
            await connection.db(database).dropDatabase()
            await connection.close()
          },
        }
      }

      reactorStoreContract('MongoDB', openOn)

      it('writes pending tasks, then the checkpoint, and removes rows last', async () => {
        const connection = new Breaking({ url: await url(), patienceMs: 10_000 })
        const database = fresh('t').slice(0, 30)
        const seen = new Set<string>()
        for (let operations = 0; operations < 20; operations++) {
          await connection.db(database).dropDatabase()
          const reactorStore = new MongoReactorStore(connection, database)
          connection.left = Number.POSITIVE_INFINITY
          await reactorStore.write([{ owed: owed('mails/1', 1) }, { cursor: 'job', value: 1 }], 1)
          connection.left = operations
          const put = [{ owed: owed('mails/1', 2) }, { dead: dead('mails/1', 1) }, { refused: refused(2, 7) }]
          const attempt = reactorStore.write(
            [...put, { settled: owed('mails/1', 1) }, { cursor: 'job', value: null }],
            2,
          )
          const isWhole = await attempt.then(
            () => true,
            () => false,
          )
          connection.left = Number.POSITIVE_INFINITY
          const positions = (await collect(reactorStore.pending())).map(({ position }) => position)
          const isPut = positions.includes(2) && (await reactorStore.deadLetters({ limit: 5 })).length === 1
          const hasReached = (await reactorStore.checkpoint()) === 2
          const isKept = positions.includes(1) && (await reactorStore.cursor('job')) === 1
          if (hasReached)
            expect(isPut && (await reactorStore.refusals(7, 5)).length === 1, `${operations}`).to.equal(true)
          else expect(isKept, `${operations}`).to.equal(true)
          seen.add(`${isPut} ${hasReached} ${isKept}`)
          if (isWhole) break
        }
        expect([...seen]).to.include.members(['true false true', 'true true true', 'true true false'])
        await connection.db(database).dropDatabase()
        await connection.close()
      })
    })
  })
}
