import type { CollectionSpec } from '../../../domain/kernel/ports/read-models.ts'
import { connectMongo, type MongoConnection } from '../../../infra/mongodb/connection.ts'
import { openReadModelsOn } from '../../../infra/read-models/mongodb/store.ts'
import { describeOn, type MongoServer, mongoServers } from '../../support/servers/mongo-servers.ts'
import { fresh } from '../event-log/setting.ts'
import { applying } from '../read-models/applying.ts'
import { carryingOver } from '../read-models/carrying-over.ts'
import { finding } from '../read-models/finding.ts'
import { getting } from '../read-models/getting.ts'
import { modelled } from '../read-models/model.ts'
import { ordering } from '../read-models/ordering.ts'
import { rebuilding } from '../read-models/rebuilding.ts'
import { collections, type OpenReadModels } from '../read-models/setting.ts'

/** Without transactions only a single document changes atomically: see `Generation.apply`. */
const OF_ONE_MACHINE = 'never shows a part of what is applied together'
/** Few runs, since each sends hundreds of queries to the server. */
const MODEL_RUNS = 8

const openOn = async (connection: MongoConnection, specs: readonly CollectionSpec[]): Promise<OpenReadModels> => {
  const options = { database: fresh('t').slice(0, 30), collections: specs, graceMs: 0 }
  let store = await openReadModelsOn(connection, options)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openReadModelsOn(connection, options)
      return store
    },
    async cleanup() {
      await store.close()
      await connection.db(options.database).dropDatabase()
    },
  }
}

const contract = ({ url }: MongoServer): void => {
  let connection: MongoConnection
  let current: OpenReadModels
  const setting = () => current
  before(async () => {
    connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
  })
  after(() => connection.close())
  beforeEach(async () => {
    current = await openOn(connection, collections)
  })
  afterEach(() => current.cleanup())

  describe('getting', () => getting(setting))
  describe('finding', () => finding(setting))
  describe('ordering', () => ordering(setting))
  describe('applying', () => {
    beforeEach(function () {
      if (this.currentTest?.title === OF_ONE_MACHINE) this.skip()
    })
    applying(setting)
  })
  describe('rebuilding', () => rebuilding(setting))
  describe('keeping', () => carryingOver(setting))
  describe('as a whole', () => modelled(setting, MODEL_RUNS))
}

for (const server of mongoServers) describe('MongoDB as read models', () => describeOn(server, contract))
