import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { connectMongo } from '../../../infra/mongodb/connection.ts'
import { MongoKeyStore } from '../../../infra/mongodb/vault-keys.ts'
import { openVault } from '../../../infra/vault/sealing-vault.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { MASTER, type OpenVault, vaultContract } from '../vault.contract.ts'

const secret = MASTER

for (const server of mongoServers) {
  describe('Keys on MongoDB', () => {
    describeOn(server, ({ url }) => {
      const openOn = async (): Promise<OpenVault & { others: () => MongoKeyStore }> => {
        const { path, remove } = temporaryDirectory()
        const { log } = await openSqliteLog(path)
        const database = fresh('t').slice(0, 30)
        let connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
        const others = () => new MongoKeyStore(connection, database)
        return {
          log,
          others,
          keys: others(),
          vault: await openVault(others(), secret),
          async reopen(other = secret) {
            await connection.close()
            connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
            return { log, vault: await openVault(others(), other) }
          },
          async cleanup() {
            await connection.db(database).dropDatabase()
            await connection.close()
            await log.close()
            remove()
          },
        }
      }

      vaultContract('MongoDB', openOn)

      it('are the same for all processes, and destroyed for all', async () => {
        const { others: keys, cleanup } = await openOn()
        const several = Array.from({ length: 8 }, keys)
        const made = await Promise.all(several.map((store, n) => store.keep(7, () => Buffer.alloc(32, n + 1))))
        const kept = Buffer.from((await keys().get(7)) as Uint8Array)
        for (const key of made) expect(Buffer.from(key as Uint8Array)).to.deep.equal(kept)
        expect(kept).to.have.length(32)
        await Promise.all(several.map((store) => store.destroy(7)))
        expect(await keys().get(7)).to.equal('destroyed')
        expect(await keys().keep(7, () => Buffer.alloc(32))).to.equal('destroyed')
        expect(await keys().get(8)).to.equal(undefined)
        await cleanup()
      })
    })
  })
}
