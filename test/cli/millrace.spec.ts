import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { MILLRACE, millrace, millraceProcess, type Spawned, spawnMillrace } from '../support/millrace.ts'

describe('millrace', function () {
  this.timeout(60_000)
  let data: string
  let service: Spawned
  const log: string[] = []
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-cli-'))
    service = await spawnMillrace(data, { MILLRACE_DEMO: '1', MILLRACE_LOG_LEVEL: 'info' }, log)
  })
  after(async () => {
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  const call = (token: string, target: string, body?: object) =>
    fetch(`${service.ready.origin}/api/v2${target}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  const makeContact = async (address: string) => {
    const answer = await call(service.ready.api_key!, `/workspaces/${service.ready.workspace_id}/contacts`, {
      contact: { email_address: address },
    })
    expect(answer.status).to.equal(201)
    return ((await answer.json()) as { id: number }).id
  }

  it('starts with a demo workspace and a key that works', async () => {
    expect(service.ready.origin).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    await makeContact('first@example.com')
    expect(service.startedIn).to.be.lessThan(10_000)
  })

  it('has something sold in that workspace: a product with a price, an order that is paid, and its parcel', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at freely by tests
    const seen = async (target: string): Promise<any> => (await call(service.ready.api_key!, target)).json()
    const workspace = `/workspaces/${service.ready.workspace_id}`
    while ((await seen(`${workspace}/fulfillments`)).length === 0) await wait(20)
    const [product] = await seen(`${workspace}/products`)
    const [price] = await seen(`/products/${product.id}/prices`)
    const [order] = await seen(`${workspace}/orders`)
    const [parcel] = await seen(`${workspace}/fulfillments`)
    expect([product.name, price.amount]).to.deep.equal(['Enamel mug', '18.00'])
    expect(order).to.include({ billing_status: 'paid', service_status: 'completed', total_amount: '22.90' })
    expect(parcel).to.include({ status: 'fulfilled', contact_id: order.contact_id })
    const [invoice] = await seen(`/orders/${order.id}/invoices`)
    expect(invoice.fulfillment_status).to.equal('complete')
    expect((await seen(`/products/variants/${product.default_variant_id}`)).quantity).to.equal(23)
    while (!log.join('').includes('"operation":"listFulfillments"')) await wait(20)
    const logged = log.join('').matchAll(/"operation":"((?:create|update|set)\w+)"/g)
    const own = [...logged].map(([, operation]) => operation).filter((operation) => operation !== 'createContacts')
    expect(own, 'its own requests in the log').to.deep.equal([])
  })

  it('has a data directory of which the manual names each part', async () => {
    const manual = readFileSync(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
    const [, table = ''] = /^## The data directory\n(.*?)^The process refuses/ms.exec(manual) ?? []
    const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name.replace(/\/$/, ''))
    const found = (await readdir(data)).map((name) =>
      name.replace(/-(wal|shm)$/, '').replace(/^control\..*/, 'control.*.sock'),
    )
    expect(named).to.include.members([...new Set(found)])
  })

  it('prints the same URL for people and for programs', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'millrace-cli-'))
    const firstText = async (...flags: readonly string[]) => {
      const child = spawn(
        process.execPath,
        [MILLRACE, 'start', '--port', '0', '--data', other, '--no-demo', ...flags],
        {
          env: { ...process.env, MILLRACE_LOG_LEVEL: 'warn' },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const [text] = (await once(child.stdout!, 'data')) as [Buffer]
      child.kill()
      await once(child, 'exit')
      return text.toString()
    }
    const address = /^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/
    expect((JSON.parse(await firstText('--json')) as { api: string }).api).to.match(address)
    expect(/API {8}(\S+)/.exec(await firstText())?.[1]).to.match(address)
    await rm(other, { recursive: true, force: true })
  })

  it('names the setting for another port when one is in use', async () => {
    const { port } = new URL(service.ready.origin)
    for (const setting of ['MILLRACE_PORT', 'MILLRACE_PUBLIC_PORT', 'MILLRACE_MCP_PORT', 'MILLRACE_MAIL_PORT']) {
      const settings = { MILLRACE_PORT: '0', [setting]: port }
      const second = await millrace(['start', '--data', path.join(data, 'second')], settings)
      expect(second.code).to.equal(1)
      expect(second.err).to.include(`Port ${port} of 127.0.0.1 is in use`).and.include(setting)
    }
  })

  it('refuses a second process on the same data, naming the first', async () => {
    const second = await millraceProcess(['start', '--port', '0', '--data', data])
    expect(second.code).to.equal(1)
    expect(second.err).to.include(`pid ${service.child.pid}`).and.to.include(data)
  })

  it('refuses settings that it does not understand, by name', async () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['MILLRACE_PORT', 'many'],
      ['MILLRACE_PUBLIC_PORT', '65536'],
      ['MILLRACE_PUBLIC_URL', 'files.example.com'],
      ['MILLRACE_PUBLIC_URL', 'https://files.example.com/?a=b'],
      ['MILLRACE_RATE_LIMIT', '-1'],
      ['MILLRACE_FAILED_ATTEMPTS', 'few'],
      ['MILLRACE_METRICS_TOKEN', 'short'],
      ['MILLRACE_BEHIND_PROXY', '17'],
      ['MILLRACE_LOG_LEVEL', 'loud'],
      ['MILLRACE_DEMO', 'perhaps'],
      ['MILLRACE_SECRET', 'short'],
      ['MILLRACE_PROT', '4000'],
    ]
    for (const [name, value] of wrong) {
      const { code, err } = await millrace(['start', '--data', path.join(data, 'other')], { [name]: value })
      expect(code).to.equal(1)
      expect(err).to.match(new RegExp(`^millrace: ${name} `))
    }
  })

  it('issues, lists and revokes keys while the service runs', async () => {
    const { id, token } = JSON.parse(
      (await millrace(['keys', 'create', '--data', data, '--scopes', 'contacts:read', '--label', 'Reader', '--json']))
        .out,
    )
    expect((await call(token, `/workspaces/${service.ready.workspace_id}/contacts`)).status).to.equal(200)
    expect((await call(token, `/workspaces/${service.ready.workspace_id}/contacts`, { contact: {} })).status).to.equal(
      403,
    )
    const listed = (await millraceProcess(['keys', 'list', '--data', data])).out
    expect(listed).to.include(`${id}  mr_`).and.to.include('contacts:read').and.to.include('Reader')
    expect(listed).not.to.include(token)
    expect((await millrace(['keys', 'revoke', String(id), '--data', data])).code).to.equal(0)
    expect((await call(token, '/me')).status).to.equal(401)
    expect((await millraceProcess(['keys', 'create', '--data', data, '--scopes', 'everything'])).err).to.include(
      "'everything' is not a scope",
    )
  })

  it('warns of a bare read scope, which does not make a key read-only', async () => {
    const create = (scopes: string) => millrace(['keys', 'create', '--data', data, '--scopes', scopes, '--json'])
    const bare = await create('read')
    const { token, warnings } = JSON.parse(bare.out) as { token: string; warnings: string[] }
    expect(warnings).to.have.length(1)
    expect(bare.err).to.include("'read' alone").and.to.include('<category>:read')
    const path = `/workspaces/${service.ready.workspace_id}/contacts`
    expect((await call(token, path, { contact: { first_name: 'Written' } })).status, 'its rights stay').to.equal(201)
    for (const scopes of ['read,write', 'contacts:read', 'read,contacts:read', 'write']) {
      const { out, err } = await create(scopes)
      expect([scopes, err, JSON.parse(out).warnings]).to.deep.equal([scopes, '', []])
    }
  })

  it('opens workspaces', async () => {
    const made = JSON.parse(
      (await millrace(['workspace', 'create', '--name', 'Second one', '--currency', 'jpy', '--data', data])).out,
    )
    const { token } = JSON.parse(
      (await millrace(['keys', 'create', '--data', data, '--workspace', String(made.workspace_id), '--json'])).out,
    )
    const me = (await (await call(token, '/me')).json()) as { connected_workspace: object }
    expect(me.connected_workspace).to.include({ workspace_name: 'Second one', workspace_currency: 'JPY' })
    const taken = await millrace(['workspace', 'create', '--name', 'Second one', '--data', data])
    expect(taken.err).to.include('Subdomain has already been taken')
    const which = await millrace(['keys', 'create', '--data', data])
    expect(which.err).to.include('--workspace ID').and.to.include('Second one')
  })

  it('prints past events and new ones as they happen', async () => {
    const tail = spawn(process.execPath, [MILLRACE, 'events', 'tail', '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: tail.stdout })[Symbol.asyncIterator]()
    const next = lines.next()
    let id = 0
    const seen = await Promise.race([
      next,
      (async () => {
        for (let tries = 0; ; tries++) {
          id = await makeContact(`tail-${tries}@example.com`)
          await new Promise((go) => setTimeout(go, 200))
        }
      })(),
    ])
    tail.kill()
    const event = JSON.parse((seen as IteratorResult<string>).value) as { type: string; stream: string; data: object }
    expect(event.type).to.equal('ContactCreated')
    expect(JSON.stringify(event)).not.to.include('@example.com')
    const { out, err } = await millraceProcess(['events', 'export', '--data', data, '--stream', `contact-${id}`])
    const exported = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; revision: number })
    expect(exported.map(({ type }) => type)).to.deep.equal(['ContactCreated', 'ContactIdentified'])
    expect(err).to.include('2 events')
  })

  it('rebuilds during a running service', async () => {
    const id = await makeContact('rebuilt@example.com')
    const { code, out } = await millraceProcess(['rebuild', '--data', data, '--json'])
    expect(code).to.equal(0)
    const last = JSON.parse(out.trim().split('\n').at(-1)!) as { done: boolean; events: number }
    expect(last.done).to.equal(true)
    expect(last.events).to.be.greaterThan(10)
    expect((await call(service.ready.api_key!, `/contacts/${id}`)).status).to.equal(200)
    await makeContact('after-rebuild@example.com')
  })

  it('ends cleanly on a signal, and the command line then works alone', async () => {
    const id = await makeContact('kept@example.com')
    expect(await service.stop('SIGINT')).to.equal(0)
    expect((await millraceProcess(['rebuild', '--data', data, '--json'])).code).to.equal(0)
    const count = (await millraceProcess(['events', 'export', '--data', data, '--stream', `contact-${id}`])).out
      .trim()
      .split('\n').length
    expect(count).to.equal(2)
    const { api_key } = service.ready
    service = await spawnMillrace(data)
    expect(service.ready.api_key).to.equal(null)
    expect((await call(api_key!, `/contacts/${id}`)).status).to.equal(200)
  })
})
