import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { outageOf } from '../../../infra/mongodb/failures.ts'
import { openFaultProxy } from '../../servers/fault-proxy.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'

for (const server of mongoServers.slice(0, 2)) {
  describeOn(server, (on) => {
    it('cut off in the middle of a bulk of writes is away, and no error of ours', async () => {
      const way = await openFaultProxy(Number(new URL(await on.url()).port))
      const client = new MongoClient(`mongodb://127.0.0.1:${way.port}/cut`)
      const stored = client.db().collection('documents')
      await stored.insertOne({ n: 0 })
      way.stall()
      const writing = stored
        .bulkWrite([{ insertOne: { document: { n: 1 } } }, { insertOne: { document: { n: 2 } } }], { ordered: false })
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      await sleep(100)
      way.cut()
      const error = await writing
      await client.close()
      await way.close()
      expect(error).to.be.an('error')
      expect(outageOf(error)).to.be.a('string')
    })
  })
}

describe('Errors that count as an unavailable MongoDB', () => {
  it('include a reset socket, also when the driver reports nothing more, and nothing else', () => {
    expect(outageOf(Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' }))).to.equal('write ECONNRESET')
    expect(outageOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).to.equal(undefined)
    expect(outageOf(new TypeError('it is broken'))).to.equal(undefined)
  })
})
