import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { MILLRACE, type Spawned, spawnMillrace, withoutSettings } from '../support/millrace.ts'
import { javaServer } from '../support/servers/mongo-servers.ts'
import { settingsOn } from '../support/servers/on-servers.ts'

/** Nobody builds read models here until a process with that role starts, so the start takes as long as the test likes. */
describe('a start without read models', function () {
  this.timeout(120_000)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }

  let data: string
  let server: TestServer
  let settings: Record<string, string>
  let ports: Record<'api' | 'public' | 'sdk' | 'mcp', number>
  let stopStarting: () => Promise<unknown>
  let projector: Spawned | undefined
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-starting-'))
    server = await TestServer.start()
    settings = settingsOn(server.url, await javaServer.url(), 'starting')
    ports = { api: await freePort(), public: await freePort(), sdk: await freePort(), mcp: await freePort() }
    const named = Object.entries(ports).map(([name, port]) => [`--${name === 'api' ? '' : `${name}-`}port`, `${port}`])
    const child = spawn(process.execPath, [MILLRACE, 'start', '--data', data, '--roles', 'api', ...named.flat()], {
      env: { ...withoutSettings(), MILLRACE_LOG_LEVEL: 'error', ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    stopStarting = () => {
      child.kill()
      return ended
    }
  })
  after(async () => {
    await stopStarting()
    await projector?.stop()
    await server.stop()
    await rm(data, { recursive: true, force: true })
  })

  const get = (port: number, at: string) => fetch(`http://127.0.0.1:${port}${at}`)
  /** Asks again while the port is closed. */
  const ask = async (port: number, at: string) => {
    await eventually(async () => void (await get(port, '/')))
    const answer = await get(port, at)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  it('answers 503 at every port, says when to come again, and lives', async () => {
    for (const port of Object.values(ports)) {
      const { status, headers, text } = await ask(port, '/api/v2/workspaces/1')
      expect([port, status, headers.get('retry-after')]).to.deep.equal([port, 503, '2'])
      expect(text).to.match(port === ports.public ? /<h1>One moment/ : /"error":"Service unavailable/)
    }
    expect((await ask(ports.api, '/health/live')).status).to.equal(200)
    const ready = await ask(ports.api, '/health/ready')
    expect([ready.status, JSON.parse(ready.text)]).to.deep.equal([503, { status: 'not ready', reason: 'starting' }])
  })

  it('lets crawlers come again, but for those that a page may keep out', async () => {
    const { status, headers, text } = await ask(ports.public, '/robots.txt')
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store'])
    expect(text).to.match(/User-agent: GPTBot\n(?:User-agent: .*\n)+Disallow: \/\n\nUser-agent: \*\nDisallow:\n$/)
  })

  it('serves at the same ports as soon as there are read models', async () => {
    projector = await spawnMillrace(data, { ...settings, MILLRACE_ROLES: 'projector' })
    await eventually(async () => {
      const { status } = await get(ports.api, '/health/ready')
      if (status !== 200) throw new Error('it is not ready yet')
    })
    for (const [port, at, expected] of [
      [ports.api, '/api/v2/workspaces/1', 401],
      [ports.public, '/robots.txt', 404],
    ] as const)
      expect([at, (await get(port, at)).status]).to.deep.equal([at, expected])
  })
})
