import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { javaServer } from '../support/servers/mongo-servers.ts'
import { settingsOn } from '../support/servers/on-servers.ts'
import { openTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'

const NOTICED_WITHIN_MS = 5000
const BACK_WITHIN_MS = 10_000
const LOOKED_EVERY_MS = 50

describe('a service at rest whose store stands still', function () {
  this.timeout(120_000)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }
  let data: string
  let log: TestServer
  let proxies: Readonly<Record<string, TcpProxy>>
  let service: Spawned

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-silent-'))
    log = await TestServer.start()
    const [events, documents] = [
      await openTcpProxy(log.port),
      await openTcpProxy(Number(new URL(await javaServer.url()).port)),
    ]
    proxies = { 'the event log': events, 'the read models': documents }
    const url = new URL(log.url)
    url.port = String(events.port)
    const settings = settingsOn(url.href, `mongodb://127.0.0.1:${documents.port}`, `silent-${Date.now()}`)
    service = await spawnMillrace(data, { ...settings, MILLRACE_LOG_LEVEL: 'fatal' })
  })
  after(async () => {
    await service?.stop('SIGKILL')
    for (const proxy of Object.values(proxies)) await proxy.cut()
    await log.stop()
    await rm(data, { recursive: true, force: true })
  })

  const readiness = async () => {
    const response = await fetch(`${service.ready.origin}/health/ready`)
    return { status: response.status, body: (await response.json()) as { readonly reason?: string } }
  }
  const until = async (status: number, withinMs: number) => {
    const begun = performance.now()
    let seen = await readiness()
    for (; seen.status !== status; seen = await readiness()) {
      expect(performance.now() - begun, `${status} after`).to.be.lessThan(withinMs)
      await sleep(LOOKED_EVERY_MS)
    }
    expect(performance.now() - begun, `${status} after`).to.be.lessThan(withinMs)
    return seen.body
  }

  for (const store of ['the event log', 'the read models']) {
    it(`is not ready within five seconds, and says that it is ${store}`, async () => {
      await until(200, BACK_WITHIN_MS)
      proxies[store]!.stall()
      expect((await until(503, NOTICED_WITHIN_MS)).reason).to.include(store)
      proxies[store]!.resume()
      await until(200, BACK_WITHIN_MS)
    })
  }

  it('says so to the first who asks, however long after', async () => {
    await until(200, BACK_WITHIN_MS)
    // An answer is as good as new for a second.
    await sleep(1100)
    for (const proxy of Object.values(proxies)) proxy.stall()
    expect((await readiness()).status).to.equal(503)
    for (const proxy of Object.values(proxies)) proxy.resume()
    await until(200, BACK_WITHIN_MS)
  })
})
