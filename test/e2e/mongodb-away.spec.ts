import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { javaServer } from '../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../support/servers/on-servers.ts'
import { openTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'

/** Longer than a lease and than every timeout of the driver. */
const AWAY_MS = 12_000
/** On an idle machine it takes half a second to two. */
const BACK_WITHIN_MS = 5000
/** Timeouts of the driver: half a second in place of the default of half a minute. */
const TIMEOUTS = 'serverSelectionTimeoutMS=500&connectTimeoutMS=500&heartbeatFrequencyMS=500'

describe('processes whose MongoDB is unavailable for long', function () {
  this.timeout(120_000)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }

  let data: string
  let log: TestServer
  let proxy: TcpProxy
  let port: number
  let running: readonly Spawned[]
  let api: Spawned
  let workspaceId: number
  let key: string
  let contacts = 0

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-away-'))
    log = await TestServer.start()
    port = Number(new URL(await javaServer.url()).port)
    proxy = await openTcpProxy(port)
    const database = `away-${Date.now()}?${TIMEOUTS}`
    const settings = settingsOn(log.url, `mongodb://127.0.0.1:${proxy.port}`, database)
    const start = (roles: string) =>
      spawnMillrace(data, { ...settings, MILLRACE_ROLES: roles, MILLRACE_LOG_LEVEL: 'fatal' })
    const projector = await start('projector')
    running = [projector, ...(await Promise.all(['projector,worker', 'worker', 'api'].map(start)))]
    api = running.at(-1)!
    ;({ workspaceId, token: key } = await openWorkspace('Away', settings))
  })
  after(async () => {
    await Promise.all(running.map((spawned) => spawned.stop('SIGKILL')))
    await proxy.cut()
    await log.stop()
    await rm(data, { recursive: true, force: true })
  })

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${api.ready.origin}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as { id: number; tag_ids?: readonly number[] }
    return { status: response.status, body: parsed, headers: response.headers }
  }
  const create = () =>
    call('POST', `/workspaces/${workspaceId}/contacts`, {
      contact: { email_address: `away-${contacts++}@example.com` },
    })
  const readiness = async ({ ready }: Spawned) => {
    const response = await fetch(`${ready.origin}/health/ready`)
    return { status: response.status, body: await response.text() }
  }
  const soon = async (holds: () => Promise<boolean>, withinMs: number, what: string) => {
    for (const until = performance.now() + withinMs; !(await holds()); await sleep(20))
      if (performance.now() > until) throw new Error(`${what}: not within ${withinMs} ms`)
  }
  const all = (status: number) => async () =>
    (await Promise.all(running.map(readiness))).every((one) => one.status === status)

  /** Expects that earlier writes exist, and that some process projects them and carries out their consequences. */
  const worksAgain = async (withinMs: number) => {
    const until = performance.now() + withinMs
    const left = () => until - performance.now()
    await soon(all(200), left(), 'ready')
    const made: number[] = []
    const isMade = async () => {
      const { status, body } = await create()
      if (status === 201) made.push(body.id)
      return status === 201
    }
    await soon(isMade, left(), 'writes')
    await soon(async () => (await call('GET', `/contacts/${made[0]}`)).status === 200, left(), 'what was written')
    return withinMs - left()
  }

  const outages: Record<string, { begin: () => unknown; end: () => unknown }> = {
    cut: { begin: () => proxy.cut(), end: () => proxy.mend(port) },
    stalled: { begin: () => proxy.stall(), end: () => proxy.resume() },
  }
  for (const [kind, { begin, end }] of Object.entries(outages)) {
    it(`go on within two seconds of its return when it was ${kind}, and refuse writes meanwhile`, async () => {
      const before = await create()
      expect(before.status).to.equal(201)
      await begin()
      const awaySince = performance.now()
      await soon(all(503), 4000, 'not ready')
      for (const one of await Promise.all(running.map(readiness)))
        expect(JSON.parse(one.body)).to.deep.equal({
          status: 'not ready',
          reason: 'the read models cannot be reached',
        })
      while (performance.now() - awaySince < AWAY_MS) {
        const [written, read] = await Promise.all([create(), call('GET', `/contacts/${before.body.id}`)])
        for (const { status, headers } of [written, read]) {
          expect(status).to.equal(503)
          expect(headers.get('retry-after')).to.equal('2')
        }
        await sleep(500)
      }
      expect(running.map(({ child }) => child.exitCode)).to.deep.equal(running.map(() => null))
      await end()
      const tookMs = await worksAgain(BACK_WITHIN_MS)
      process.stdout.write(
        `      away for ${AWAY_MS} ms, all is done again ${Math.round(tookMs)} ms after its return\n`,
      )
      expect((await call('GET', `/contacts/${before.body.id}`)).status).to.equal(200)
    })
  }

  it('stop in time while it is away', async () => {
    await proxy.cut()
    await soon(all(503), 4000, 'not ready')
    const begun = performance.now()
    const codes = await Promise.all(running.map((spawned) => spawned.stop()))
    expect(performance.now() - begun).to.be.lessThan(15_000)
    expect(codes).to.deep.equal(running.map(() => 0))
  })
})
