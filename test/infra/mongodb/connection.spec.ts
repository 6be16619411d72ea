import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { connectMongo } from '../../../infra/mongodb/connection.ts'
import { openMongoReadModels } from '../../../infra/read-models/mongodb/store.ts'
import { describeOn, ferretdb, javaServer, startFerretdb } from '../../support/servers/mongo-servers.ts'
import { openTcpProxy } from '../../support/servers/tcp-proxy.ts'
import { builtFrom } from '../read-models/setting.ts'

const collections = [{ name: 'things', indexes: [] }]
const thing = (id: number) => ({ collection: 'things', id, document: { id }, position: id })
const portOf = (url: string) => Number(new URL(url).port)

const refused = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'was not refused',
    (error: Error) => error.message,
  )

describe('A connection to MongoDB', () => {
  it('explains the form of a URL, without repeating a password', async () => {
    for (const url of ['mongo://bob:secret@localhost', 'mongodb:bob:secret', 'mongodb://bob:secret@', '']) {
      const message = await refused(connectMongo({ url }))
      expect(message).to.include('cannot be understood').and.not.include('secret')
    }
  })

  it('says which server it waits for, and tries again with growing pauses', async () => {
    const proxy = await openTcpProxy(1)
    await proxy.cut()
    const told: string[] = []
    const url = `mongodb://bob:secret@127.0.0.1:${proxy.port}`
    const message = await refused(connectMongo({ url, patienceMs: 1500, onWaiting: (text) => told.push(text) }))
    expect(message).to.match(new RegExp(`^MongoDB at 127.0.0.1:${proxy.port} cannot be reached \\(.*ECONNREFUSED`))
    expect(told[0]).to.include('trying again in 0.25 s').and.not.include('secret')
  })

  describeOn(ferretdb, ({ url }) => {
    it('names the user whose credentials are refused, and does not try again', async () => {
      const refusing = `mongodb://bob:secret@127.0.0.1:${portOf(await url())}/`
      const message = await refused(connectMongo({ url: refusing }))
      expect(message).to.include('refuses the user "bob"').and.include('authSource').and.not.include('secret')
    })

    it('continues where it was when the server is back after a restart', async () => {
      const directory = await mkdtemp(path.join(tmpdir(), 'millrace-test-'))
      let server = await startFerretdb(directory)
      const proxy = await openTcpProxy(portOf(server.url))
      const told: string[] = []
      const onWaiting = (text: string) => told.push(text)
      const through = `mongodb://127.0.0.1:${proxy.port}/restarted`
      const store = await openMongoReadModels({ url: through, collections, onWaiting })
      const rebuild = await store.rebuild(builtFrom('f'))
      await rebuild.apply([thing(1)], 1)
      await rebuild.takeOver()
      await proxy.cut()
      await server.stop()
      const applied = store.live.apply([thing(2)], 2)
      server = await startFerretdb(directory)
      await proxy.mend(portOf(server.url))
      await applied
      expect(await store.live.getMany('things', [1, 2])).to.deep.equal([{ id: 1 }, { id: 2 }])
      expect(await store.live.checkpoint()).to.equal(2)
      await store.close()
      await proxy.cut()
      await server.stop()
      await rm(directory, { recursive: true })
    })
  })

  describeOn(javaServer, ({ url }) => {
    it('loses and repeats nothing when it breaks again and again while documents are written', async () => {
      const port = portOf(await url())
      const proxy = await openTcpProxy(port)
      const store = await openMongoReadModels({ url: `mongodb://127.0.0.1:${proxy.port}/broken`, collections })
      await (await store.rebuild(builtFrom('f'))).takeOver()
      const writing = (async () => {
        for (let id = 1; id <= 300; id++) await store.live.apply([thing(id)], id)
      })()
      let written = false
      void writing.then(() => {
        written = true
      })
      for (let breaks = 0; breaks < 6 && !written; breaks++) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        await proxy.cut()
        await proxy.mend(port)
      }
      await writing
      expect(await store.live.checkpoint()).to.equal(300)
      expect(await store.live.count('things', {})).to.equal(300)
      await store.close()
      await proxy.cut()
    })

    it('tells a reader that documents are unavailable while the server is away', async () => {
      const proxy = await openTcpProxy(portOf(await url()))
      const there = `mongodb://127.0.0.1:${proxy.port}/away`
      const store = await openMongoReadModels({ url: there, collections, patienceMs: 400 })
      await proxy.cut()
      const error = await Promise.resolve(store.live.get('things', 1)).catch((reason: unknown) => reason)
      expect(error).to.include({ kind: 'unavailable' })
      await store.close()
    })

    it('does not keep a store from closing that waits for it', async () => {
      const proxy = await openTcpProxy(portOf(await url()))
      let told: () => void = () => undefined
      const waiting = new Promise<void>((resolve) => {
        told = resolve
      })
      const there = `mongodb://127.0.0.1:${proxy.port}/leaving?serverSelectionTimeoutMS=100`
      const store = await openMongoReadModels({ url: there, collections, onWaiting: () => told() })
      await (await store.rebuild(builtFrom('f'))).takeOver()
      await proxy.cut()
      const applied = refused(store.live.apply([thing(1)], 1))
      await waiting
      await store.close()
      expect(await applied).to.match(/cannot be reached .* no longer waited for|ECONNREFUSED|timed out/)
    })
  })
})
