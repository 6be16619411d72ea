import { expect } from 'chai'
import { mongoCheckpoints } from '../../../infra/mongodb/checkpoints.ts'
import { connectMongo } from '../../../infra/mongodb/connection.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'

describe('Checkpoints on MongoDB', () => {
  for (const server of mongoServers) {
    describeOn(server, ({ url }) => {
      it('keep the position of each reactor', async () => {
        const connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
        const database = fresh('t').slice(0, 30)
        const checkpoints = mongoCheckpoints(connection, database)
        expect(await checkpoints.get('policies')).to.equal(-1)
        await Promise.all([checkpoints.set('policies', 5), checkpoints.set('deliveries', 0)])
        await checkpoints.set('policies', 2 ** 40)
        expect(await mongoCheckpoints(connection, database).get('policies')).to.equal(2 ** 40)
        expect(await checkpoints.get('deliveries')).to.equal(0)
        await checkpoints.set('policies', 3)
        expect(await checkpoints.get('policies')).to.equal(3)
        const all = await checkpoints.all()
        expect([...all].sort()).to.deep.equal([
          ['deliveries', 0],
          ['policies', 3],
        ])
        await connection.db(database).dropDatabase()
        await connection.close()
      })
    })
  }
})
