import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { byForm } from '../reliability/form.ts'
import { startOwnLog } from '../servers/own-log.ts'
import { allDocuments, countOf, expectSameDocuments } from '../support/documents.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { allow, enteredBy } from '../support/oauth.ts'
import { javaServer } from '../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../support/servers/on-servers.ts'

/** Number of writes. `WRITES=10000` makes a longer run than a usual test run needs. */
const WRITES = Number(process.env.WRITES ?? byForm(150, 2000))
const AT_ONCE = 64
const DAY_MS = 24 * 60 * 60 * 1000

/** Two processes answer requests, one projects, and one runs the workers, all on servers over the network. */
describe('several processes on EventStoreDB and MongoDB', function () {
  this.timeout(180_000)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }

  /** Data directory that the processes share in addition to the servers. */
  let data: string
  let server: { readonly url: string; stop(): Promise<void> }
  let settings: Record<string, string>
  const running: Spawned[] = []
  let apis: readonly Spawned[]
  let key: string
  let workspaceId: number

  const start = async (roles: string) => {
    const spawned = await spawnMillrace(data, { ...settings, MILLRACE_ROLES: roles })
    running.push(spawned)
    return spawned
  }

  const startAll = async () => {
    await start('projector')
    await start('worker')
    apis = await Promise.all([start('api'), start('api')])
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-processes-'))
    server = await startOwnLog('processes-log')
    settings = settingsOn(server.url, await javaServer.url(), 'processes')
    await startAll()
    ;({ workspaceId, token: key } = await openWorkspace('Shared', settings))
  })
  after(async () => {
    await Promise.all(running.map((spawned) => spawned.stop()))
    await server.stop()
    await rm(data, { recursive: true, force: true })
  })

  const call = async (api: Spawned, method: string, path: string, body?: object, token = key) => {
    const response = await fetch(`${api.ready.origin}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as { id: number; file_url: string | null }
    return { status: response.status, body: parsed }
  }

  const contacts = () => `/workspaces/${workspaceId}/contacts`

  it('write from both, with no id twice, into documents equal to a rebuild', async () => {
    const ids: number[] = []
    let next = 0
    const write = async () => {
      for (let number = next++; number < WRITES; number = next++) {
        const api = apis[number % 2]!
        const made = await call(api, 'POST', contacts(), { contact: { email_address: `wire-${number}@example.com` } })
        expect(made.status).to.equal(201)
        ids.push(made.body.id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, write))
    expect(new Set(ids).size).to.equal(WRITES)
    for (const id of ids.slice(0, 20))
      for (const api of apis) expect((await call(api, 'GET', `/contacts/${id}`)).status).to.equal(200)

    await Promise.all(running.splice(0).map((spawned) => spawned.stop()))
    const stores = await openStores(readConfig(settings))
    try {
      const before = await allDocuments(stores.readModels.live)
      expect(countOf(before)).to.be.greaterThan(WRITES)
      await (await createCore(stores)).rebuild()
      expectSameDocuments(await allDocuments(stores.readModels.live), before)
    } finally {
      await stores.close()
      await startAll()
    }
  })

  it('serve files that another process has written, until they are removed', async () => {
    const [api] = apis as [Spawned, Spawned]
    const ada = await call(api, 'POST', contacts(), { contact: { email_address: 'ada@files.example' } })
    const asked = { fields: ['email_address'], target_ids: [ada.body.id] }
    const { body } = await call(api, 'POST', `${contacts()}/export_actions`, { contacts_export_action: asked })
    const link = async () => (await call(api, 'GET', `/contacts/export_actions/${body.id}`)).body.file_url
    let url = await link()
    for (; !url; url = await link()) await new Promise((go) => setTimeout(go, 50))
    expect(await (await fetch(url)).text()).to.equal('Email address\r\nada@files.example\r\n')
    expect(await readdir(data)).to.deep.equal(['blobs'])
    const erased = await call(api, 'DELETE', `/contacts/${ada.body.id}/gdpr_destroy`)
    expect(erased.status).to.equal(204)
    expect(await (await fetch(url)).text()).to.equal('Email address\r\n')
    expect((await call(api, 'DELETE', `/contacts/export_actions/${body.id}`)).status).to.equal(204)
    expect((await fetch(url)).status).to.equal(404)
    while ((await readdir(path.join(data, 'blobs/contacts'))).length > 0) await new Promise((go) => setTimeout(go, 50))
  })

  it('16 26: refuse a token that another process has revoked or disconnected, within two seconds', async () => {
    const said = async (...args: string[]) =>
      JSON.parse((await millrace([...args, '--json'], settings)).out.split('\n')[0]!)
    const [here, there] = apis as [Spawned, Spawned]
    const callback = 'https://app.example/callback'
    const app = await said('apps', 'create', 'Ledger', callback)
    const owner = await said('users', 'list')
    const { link } = await said('users', 'reset', owner.email)
    const origin = `http://localhost:${new URL(here.ready.origin).port}`
    const browser = await enteredBy(origin, new URL(link).pathname)
    const proof = { client_id: app.client_id, client_secret: app.client_secret }
    const connect = async (): Promise<string> => {
      const asked = {
        ...{ response_type: 'code', client_id: app.client_id, redirect_uri: callback },
        ...{ scope: 'read write', new_installation: 'true' },
      }
      const target = await allow({ browser }, `/oauth/authorize?${new URLSearchParams(asked)}`)
      const code = target.searchParams.get('code')!
      const body = { grant_type: 'authorization_code', code, redirect_uri: callback, ...proof }
      const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
      return ((await answer.json()) as { access_token: string }).access_token
    }
    const statusOf = async (api: Spawned, token: string) => (await call(api, 'GET', '/me', undefined, token)).status
    const refusedThere = async (token: string) => {
      const until = Date.now() + 2000
      while ((await statusOf(there, token)) !== 401 && Date.now() < until) await new Promise((go) => setTimeout(go, 20))
      expect(await statusOf(there, token)).to.equal(401)
    }
    const token = await connect()
    for (const api of apis) expect(await statusOf(api, token)).to.equal(200)
    await fetch(`${origin}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token, ...proof }) })
    await refusedThere(token)
    const next = await connect()
    expect(await statusOf(there, next)).to.equal(200)
    const list = await call(here, 'GET', `/teams/${owner.team_id}/platform_applications/connections`)
    const [connection] = list.body as unknown as readonly { readonly id: number }[]
    expect((await call(here, 'DELETE', `/platform_applications/connections/${connection!.id}`)).status).to.equal(204)
    await refusedThere(next)
  })

  it('show the state after another process has advanced a clock, as soon as it is ready', async () => {
    const { workspaceId: tested, token } = await openWorkspace('Tested', settings, '--test')
    const clock = async (api: Spawned, to?: string) => {
      const answer = await call(
        api,
        to ? 'POST' : 'GET',
        `/workspaces/${tested}/test_clock`,
        to ? { to } : undefined,
        token,
      )
      expect(answer.status).to.equal(to ? 202 : 200)
      return answer.body as unknown as { readonly state: string; readonly now: string }
    }
    for (const days of [3, 5]) {
      const { now } = await clock(apis[0]!)
      const to = new Date(Date.parse(now) + days * DAY_MS).toISOString()
      await clock(apis[0]!, to)
      let shown = await clock(apis[1]!)
      while (shown.state === 'advancing') shown = await clock(apis[1]!)
      expect(shown.now >= to, `${shown.now} shown, sent to ${to}`).to.equal(true)
    }
  })

  it('take over from a projector that is killed, within 10 seconds', async () => {
    const [first] = running as [Spawned]
    const second = await start('projector')
    expect(
      (await call(apis[0]!, 'POST', contacts(), { contact: { email_address: 'before@example.com' } })).status,
    ).to.equal(201)
    await first.stop('SIGKILL')
    running.splice(running.indexOf(first), 1)
    const killed = performance.now()
    const made = await call(apis[0]!, 'POST', contacts(), { contact: { email_address: 'after@example.com' } })
    expect(made.status).to.equal(201)
    let listed: { id: number }[] = []
    while (listed.length === 0 && performance.now() - killed < 12_000) {
      listed = (await call(apis[0]!, 'GET', `${contacts()}?filter[email_address]=after@example.com`))
        .body as unknown as { id: number }[]
      await new Promise((go) => setTimeout(go, 100))
    }
    expect(listed.map(({ id }) => id)).to.deep.equal([made.body.id])
    expect(performance.now() - killed).to.be.lessThan(10_000)
    expect(second.child.exitCode).to.equal(null)
  })
})
