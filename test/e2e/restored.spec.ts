import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { readConfig } from '../../infra/config.ts'
import { connectMongo, type MongoConnection } from '../../infra/mongodb/connection.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { MemoryStore } from '../servers/eventstoredb/memory-store.ts'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { allDocuments, countOf, type Documents, expectSameDocuments } from '../support/documents.ts'
import { type FilledStores, writerInto } from '../support/filled.ts'
import { ferretdb, javaServer } from '../support/servers/mongo-servers.ts'
import { settingsOn } from '../support/servers/on-servers.ts'

const KEYS = 'vault_keys'
const BOOKS = /^(books_|checkpoints$)/

for (const mongo of [javaServer, ferretdb]) {
  describe(`copies of EventStoreDB and ${mongo.name} from different moments`, function () {
    this.timeout(120_000)
    if (mongo.missing) {
      it.skip(mongo.missing)
      return
    }

    let data: string
    let connection: MongoConnection
    let said: string[] = []
    const running: { background: Background; server: TestServer }[] = []
    const run = Date.now()
    let copies = 0

    /** The log and the database at one moment. */
    interface Moment {
      readonly events: number
      readonly database: string
      readonly documents: Documents
    }
    let store: MemoryStore
    let first: Moment
    let second: Moment
    /** Number of events just after the second workspace was created, before its consequences. */
    let opened: number

    const start = async (from: MemoryStore, database: string): Promise<Background> => {
      const server = await TestServer.start({ store: from })
      const config = readConfig({ MILLRACE_DATA: data, ...settingsOn(server.url, await mongo.url(), database) })
      const logger = createLogger('silent')
      logger.warn = ((_: object, text?: string) => said.push(String(text))) as typeof logger.warn
      const fail = (error: unknown) => {
        throw error
      }
      const outbound = outboundClient({ allowPrivate: false })
      const background = await startBackground(await openStores(config), logger, fail, config.roles, outbound)
      running.push({ background, server })
      await background.readable()
      return background
    }
    const stopAll = async () => {
      for (const { background, server } of running.splice(0)) {
        await background.stop()
        await server.stop()
      }
    }
    /** Waits until everything is projected and no consequences are pending. */
    const settled = async ({ reached, stores }: Background) => {
      let [last, since] = [-1, Date.now()]
      for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((go) => setTimeout(go, 20))) {
        const now = await stores.log.lastPosition()
        if (now !== last) [last, since] = [now, Date.now()]
        if (Date.now() - since > 1500 && (await reached(now, 10_000))) return
      }
      throw new Error('it does not come to rest')
    }
    const copyOf = async (
      from: string,
      only: (name: string) => boolean = () => true,
      into = `copy${run}x${copies++}`,
    ) => {
      const source = connection.db(from)
      for (const { name } of await source.listCollections({}, { nameOnly: true }).toArray()) {
        const documents = only(name) ? await source.collection(name).find().toArray() : []
        if (documents.length > 0) await connection.db(into).collection(name).insertMany(documents)
      }
      return into
    }
    /** The log with only its first events. */
    const logOf = (events: number): MemoryStore => {
      const copy = new MemoryStore()
      for (const event of store.events.slice(copy.events.length, events)) copy.append(event.stream, 'any', [event])
      expect(copy.events.at(-1)!.position).to.equal(store.events[events - 1]!.position)
      return copy
    }
    const ours = async ({ stores }: Background) => {
      let count = 0
      for await (const _ of stores.log.readAll({})) count++
      return count
    }
    const momentOf = async (background: Background): Promise<Moment> => {
      await settled(background)
      const events = store.events.length
      const documents = await allDocuments(background.stores.readModels.live)
      return { events, documents, database: await copyOf(`restored${run}`, (name) => name !== 'leases') }
    }
    const open = async ({ accounts }: Background, name: string) => {
      const owner = { email: `${name}@example.com`, firstName: 'Olive', lastName: 'Owner' }
      const teamId = await accounts.foundTeam({ name, owner })
      return { teamId, workspaceId: await accounts.openWorkspace(teamId, { name, subdomain: name, currency: 'USD' }) }
    }
    const contact = (background: Background, place: FilledStores, name: string) =>
      withIds(background.core.ids, () => writerInto(background, place).contact(name))
    const isFurnished = async ({ stores }: Background, workspaceId: number) =>
      typeof (await stores.readModels.live.get('site', workspaceId))?.theme_id === 'number'

    before(async () => {
      data = await mkdtemp(path.join(tmpdir(), 'millrace-restored-'))
      connection = await connectMongo({ url: await mongo.url(), patienceMs: 10_000 })
      store = new MemoryStore()
      const background = await start(store, `restored${run}`)
      const place = await open(background, 'first')
      for (let n = 0; n < 5; n++) await contact(background, place, `Contact ${n}`)
      first = await momentOf(background)
      const stop = store.onAppend(() => {
        if (store.events.at(-1)!.type === 'WorkspaceOpened') opened = store.events.length
      })
      const other = await open(background, 'second')
      stop()
      for (let n = 0; n < 5; n++) await contact(background, other, `Other ${n}`)
      second = await momentOf(background)
      await stopAll()
    })
    afterEach(stopAll)
    beforeEach(() => {
      said = []
    })
    after(async () => {
      await connection.close()
      await rm(data, { recursive: true, force: true })
    })

    /** Expects all documents, and that nothing is done a second time. */
    const staysAsItIs = async (background: Background) => {
      const before = await ours(background)
      await settled(background)
      expect(await ours(background)).to.equal(before)
      expectSameDocuments(await allDocuments(background.stores.readModels.live), second.documents)
    }

    /** Waits for a rebuild. Documents that are newer than the log count as reached until it is done. */
    const isRebuilt = async ({ stores }: Background, expected: Documents): Promise<void> => {
      const until = Date.now() + 30_000
      let found = await allDocuments(stores.readModels.live)
      while (countOf(found) !== countOf(expected) && Date.now() < until)
        found = await allDocuments(stores.readModels.live)
      expectSameDocuments(found, expected)
    }

    it('in the right order, reactor store before the log and keys after it: everything exists once', async () => {
      const database = await copyOf(first.database, (name) => BOOKS.test(name))
      await copyOf(second.database, (name) => name === KEYS, database)
      await staysAsItIs(await start(logOf(second.events), database))
    })

    it('with documents older than the log: they catch up', async () => {
      const database = await copyOf(first.database, (name) => name !== KEYS)
      await copyOf(second.database, (name) => name === KEYS, database)
      await staysAsItIs(await start(logOf(second.events), database))
      expect(said).to.deep.equal([])
    })

    it('with documents and reactor store newer than the log: a warning, a rebuild, and no new event is skipped', async () => {
      const background = await start(logOf(first.events), await copyOf(second.database))
      await settled(background)
      expect(said.join()).to.include('the documents have reached position').and.include('the books have got further')
      await isRebuilt(background, first.documents)
      const { workspaceId } = await open(background, 'third')
      await settled(background)
      expect(await isFurnished(background, workspaceId)).to.equal(true)
    })

    it('with a reactor store that has settled what the log has lost: it is done again', async () => {
      const background = await start(logOf(opened), await copyOf(second.database))
      await settled(background)
      const sites = await background.stores.readModels.live.find('site', { where: {} })
      expect(sites).to.have.length(2)
      for (const { id } of sites) expect(await isFurnished(background, Number(id))).to.equal(true)
    })
  })
}
