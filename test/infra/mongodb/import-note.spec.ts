import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import { mongoImportNote } from '../../../infra/mongodb/import-note.ts'
import { describeOn, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { importNoteContract } from '../import-note.contract.ts'

describe('the note of an unfinished import, on MongoDB', () => {
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

      importNoteContract(async () => mongoImportNote(connection, database))
    })
  }
})
