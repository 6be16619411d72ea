import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Config, readConfig } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { ferretdb, javaServer } from '../support/servers/mongo-servers.ts'
import { settingsOn } from '../support/servers/on-servers.ts'

for (const mongo of [javaServer, ferretdb]) {
  describe(`two versions on EventStoreDB and ${mongo.name}`, function () {
    this.timeout(60_000)
    if (mongo.missing) {
      it.skip(mongo.missing)
      return
    }

    let data: string
    let log: TestServer
    let config: Config
    let running: Background | undefined
    let said: string[]
    before(async () => {
      data = await mkdtemp(path.join(tmpdir(), 'millrace-versions-'))
      log = await TestServer.start()
      const settings = settingsOn(log.url, await mongo.url(), `versions${Date.now()}`)
      config = readConfig({ MILLRACE_DATA: data, ...settings })
    })
    beforeEach(() => {
      said = []
    })
    after(async () => {
      await stop()
      await log.stop()
      await rm(data, { recursive: true, force: true })
    })

    const start = async (): Promise<Background> => {
      const logger = createLogger('silent')
      logger.error = ((text: unknown) => said.push(String(text))) as typeof logger.error
      const fail = (error: unknown) => {
        throw error
      }
      const outbound = outboundClient({ allowPrivate: false })
      running = await startBackground(await openStores(config), logger, fail, config.roles, outbound)
      await running.readable()
      return running
    }
    const stop = async () => {
      await running?.stop()
      running = undefined
    }
    const follows = async ({ reached, stores }: Background, withinMs: number) => {
      const last = await stores.log.lastPosition()
      return reached(last, withinMs)
    }
    const found = (background: Background, name: string) =>
      background.accounts.foundTeam({ name, owner: { email: `${name}@example.com`, firstName: 'O', lastName: 'O' } })
    const builtBy = async ({ stores }: Background) => (await stores.readModels.fingerprints())?.get('*')

    it('the newer one owns the documents, and the older one answers from them and reports it', async () => {
      const background = await start()
      await found(background, 'first')
      expect(await follows(background, 5000)).to.equal(true)
      const { readModels } = background.stores
      const now = new Map(await readModels.fingerprints())
      const own = now.get('*')!.documents
      // As if a newer version with other declarations of contacts had built them and stopped.
      now.set('contact', { ...now.get('contact')!, documents: 'newer' })
      now.set('contact/newer', { ...now.get('contact')!, documents: 'newer' })
      now.set('*', { documents: 'newer', indexes: [], attributes: [own] })
      await stop()
      const { readModels: other, close } = await openStores(config)
      await other.note(now)
      await close()

      const older = await start()
      for (const until = Date.now() + 5000; said.length === 0 && Date.now() < until; )
        await new Promise((go) => setTimeout(go, 20))
      expect(said.join()).to.match(
        /^the read models were built by a newer version .* run `millrace rebuild` with it\.$/,
      )
      expect(await older.stores.readModels.live.find('user', { where: {} })).to.have.length(2)
      expect(new Map(await older.stores.readModels.fingerprints())).to.deep.equal(now)
      await new Promise((go) => setTimeout(go, 2500))
      expect(said, 'said once').to.have.length(1)
      expect(new Map(await older.stores.readModels.fingerprints())).to.deep.equal(now)
    })

    it('a rebuild reverts to the older one, which follows the log again', async () => {
      await running!.rebuild(() => {})
      expect(await follows(running!, 10_000)).to.equal(true)
      expect(await builtBy(running!)).to.deep.include({ attributes: [] })
      await found(running!, 'second')
      expect(await follows(running!, 5000)).to.equal(true)
    })
  })
}
