import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { agentToken } from '../../support/agent-token.ts'
import { type AgentTenant, agentTenant, ERAS } from '../../support/agents.ts'

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const LIST = { jsonrpc: '2.0', id: 0, method: 'tools/list' }

describe('the door of the agent server', () => {
  let tenant: AgentTenant
  let url: string
  let token: string

  before(async () => {
    tenant = await agentTenant()
    url = tenant.service.agentsUrl
    token = await tenant.letIn()
  })

  const send = (path: string, { method = 'POST', headers = {}, body }: Sent = {}) =>
    fetch(new URL(path, url), {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const bearer = (of = token) => ({ authorization: `Bearer ${of}` })
  const withToken = (body: unknown, headers: Sent['headers'] = {}) =>
    send('/mcp', { body, headers: { ...bearer(), ...headers } })
  const begin = async (of = token): Promise<string> => {
    const answer = await send('/mcp', { body: INITIALIZE, headers: bearer(of) })
    expect(answer.status).to.equal(200)
    await answer.text()
    return answer.headers.get('mcp-session-id')!
  }

  it('16 48: protected-resource metadata at both paths names the address that people type, byte for byte', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await send(path, { method: 'GET', headers: { 'x-forwarded-host': 'evil.example' } })
      expect(answer.status).to.equal(200)
      const said = (await answer.json()) as { resource: string; authorization_servers: string[] }
      expect(said.resource).to.equal(url)
      expect(said.authorization_servers).to.deep.equal([tenant.service.url.replace('127.0.0.1', 'localhost')])
    }
  })

  it('16 49: metadata is anonymous, preflights need no token, and cookies are never allowed', async () => {
    const asked = { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' }
    for (const path of ['/.well-known/oauth-protected-resource', '/mcp']) {
      const answer = await send(path, { method: 'OPTIONS', headers: asked })
      expect(answer.status).to.equal(204)
      const allowed = answer.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
      expect(allowed).to.include.members(
        [
          'Authorization',
          'Content-Type',
          'Accept',
          'MCP-Protocol-Version',
          'Mcp-Session-Id',
          'Mcp-Method',
          'Mcp-Name',
          'Last-Event-ID',
        ].map((name) => name.toLowerCase()),
      )
      expect(answer.headers.get('access-control-expose-headers')).to.match(/WWW-Authenticate.*Mcp-Session-Id/)
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(null)
    }
  })

  it('16 50: no origin and origins of this machine are fine, any other is 403', async () => {
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:99']) {
      const answer = await withToken(LIST, { origin })
      expect(answer.status, origin).to.equal(200)
      expect(answer.headers.get('access-control-allow-origin')).to.equal(origin)
    }
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://localhost'])
      expect((await withToken(LIST, { origin })).status, origin).to.equal(403)
  })

  it('16 50: another Host is refused', async () => {
    const statusFor = (host: string) =>
      new Promise<number | undefined>((done, fail) => {
        const { port } = new URL(url)
        const sent = httpRequest({
          host: 'localhost',
          port,
          path: '/mcp',
          method: 'POST',
          headers: { host, ...bearer() },
        })
        sent.on('response', (answer) => done(answer.resume().statusCode)).on('error', fail)
        sent.end()
      })
    for (const host of ['evil.example', 'localhost.evil.example']) expect(await statusFor(host), host).to.equal(403)
    expect(await statusFor(new URL(url).host)).not.to.equal(403)
  })

  it('16 56: every method without a token is 401 and says where to get one; a token that is not valid is invalid_token', async () => {
    const { shortTerm } = tenant.service.background.stores
    const { ownerId: userId, workspaceId } = tenant
    const expired = await agentToken(shortTerm, { userId, workspaceId, scopes: ['read'], expiresAt: Date.now() - 1 })
    const metadata = `resource_metadata="${url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')}"`
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await send('/mcp', { method })
      expect(answer.status).to.equal(401)
      expect(answer.headers.get('www-authenticate')).to.equal(`Bearer ${metadata}, scope="read write"`)
      for (const of of [expired, tenant.token, 'mra_nobody']) {
        const refused = await send('/mcp', { method, headers: bearer(of) })
        expect(refused.status).to.equal(401)
        expect(refused.headers.get('www-authenticate')).to.include('error="invalid_token"').and.include(metadata)
      }
    }
  })

  it('16 45: a call that lacks a scope is 403 with the union of held and needed scopes', async () => {
    const held = await tenant.letIn(['read', 'funnels:write'])
    const call = (operation: string) => ({
      ...LIST,
      method: 'tools/call',
      params: { name: 'call_write_operation', arguments: { operation_id: operation, body: {} } },
    })
    const answer = await send('/mcp', { body: call('createContacts'), headers: bearer(held) })
    expect(answer.status).to.equal(403)
    expect(answer.headers.get('www-authenticate'))
      .to.include('error="insufficient_scope"')
      .and.include('scope="read funnels:write contacts:write"')
      .and.include('resource_metadata="')
    expect((await send('/mcp', { body: call('createFunnel'), headers: bearer(held) })).status).to.equal(200)
  })

  it('16 45: so is the reading of a record by its address, and a task', async () => {
    const held = await tenant.letIn(['contacts:read'])
    const read = (uri: string) => ({ ...LIST, method: 'resources/read', params: { uri } })
    const refused = await send('/mcp', { body: read('millrace://record/orders/1'), headers: bearer(held) })
    expect(refused.status).to.equal(403)
    expect(refused.headers.get('www-authenticate')).to.include('scope="contacts:read store:read"')
    expect((await send('/mcp', { body: read('millrace://record/contacts/1'), headers: bearer(held) })).status).to.equal(
      200,
    )
    const changed = (kind: unknown) => ({
      ...LIST,
      method: 'tools/call',
      params: { name: 'what_changed', arguments: { kind, id: 1 } },
    })
    expect((await send('/mcp', { body: changed('orders'), headers: bearer(held) })).status).to.equal(403)
    expect((await send('/mcp', { body: changed('contacts'), headers: bearer(held) })).status).to.equal(200)
    expect((await send('/mcp', { body: changed({}), headers: bearer(held) })).status).to.equal(200)
  })

  it('16 37: an agent with a bare read really is read-only', async () => {
    const reading = await tenant.letIn(['read'])
    for (const name of [
      'createContacts',
      'updateContacts',
      'removeContacts',
      'createFunnel',
      'advanceWorkspacesTestClock',
    ]) {
      const params = { name: 'call_write_operation', arguments: { operation_id: name, path: { id: 1 }, body: {} } }
      const answer = await send('/mcp', { body: { ...LIST, method: 'tools/call', params }, headers: bearer(reading) })
      expect(answer.status, name).to.equal(403)
    }
  })

  it('16 51: an unknown or ended session is 404, and initialize with a stale id begins a new one', async () => {
    const id = await begin()
    expect((await withToken(LIST, { 'mcp-session-id': id })).status).to.equal(200)
    expect((await send('/mcp', { method: 'DELETE', headers: { ...bearer(), 'mcp-session-id': id } })).status).to.equal(
      204,
    )
    for (const stale of [id, 'unknown', `${id}x`, id.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))]) {
      expect((await withToken(LIST, { 'mcp-session-id': stale })).status).to.equal(404)
      for (const method of ['GET', 'DELETE'])
        expect((await send('/mcp', { method, headers: { ...bearer(), 'mcp-session-id': stale } })).status).to.equal(404)
      const again = await withToken(INITIALIZE, { 'mcp-session-id': stale })
      expect(again.status).to.equal(200)
      expect(again.headers.get('mcp-session-id')).to.be.a('string').and.not.equal(stale)
    }
  })

  it('16 53: a session belongs to its user and its client', async () => {
    const id = await begin()
    const stranger = await agentTenant(tenant.service)
    for (const other of [await tenant.letIn(['read', 'write'], 'another-client'), await stranger.letIn()]) {
      const headers = { ...bearer(other), 'mcp-session-id': id }
      expect((await send('/mcp', { body: LIST, headers })).status).to.equal(404)
      for (const method of ['GET', 'DELETE']) expect((await send('/mcp', { method, headers })).status).to.equal(404)
    }
    expect((await withToken(LIST, { 'mcp-session-id': id })).status).to.equal(200)
  })

  for (const era of ERAS)
    it(`16 52: ${era} is served`, async () => {
      const agent = await tenant.agent({ era })
      expect(agent.client.getNegotiatedProtocolVersion()).to.equal(era)
      expect((await agent.client.listTools()).tools).to.have.length.above(4)
      await agent.close()
    })

  it('16 52: an unknown version gets an error that lists the served ones', async () => {
    const earlier = await withToken(LIST, { 'mcp-protocol-version': '1999-01-01' })
    expect(earlier.status).to.equal(400)
    expect(await earlier.text())
      .to.include('2025-11-25')
      .and.include('2025-06-18')
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2030-01-01',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const later = await withToken(
      { ...LIST, params },
      { 'mcp-protocol-version': '2030-01-01', 'mcp-method': 'tools/list' },
    )
    expect(later.status).to.equal(400)
    expect(await later.text()).to.include('2026-07-28')
  })

  it('16 55: GET is 405; a stream of events begins at once and is not buffered', async () => {
    const listened = await send('/mcp', { method: 'GET', headers: bearer() })
    expect(listened.status).to.equal(405)
    const answer = await withToken(LIST)
    expect(answer.headers.get('content-type')).to.include('text/event-stream')
    expect(answer.headers.get('x-accel-buffering')).to.equal('no')
    expect(await answer.text()).to.match(/^: open\n\n/)
  })

  /** Answers in a body of either form. */
  const saidBy = (type: string, body: string): unknown =>
    JSON.parse(type.startsWith('text/event-stream') ? /^data: ?(.*)$/m.exec(body)![1]! : body)

  it('answers in the form that a client takes, at either spelling of the address', async () => {
    const [json, stream] = ['application/json', 'text/event-stream']
    const forms: readonly (readonly [Record<string, string>, string])[] = [
      [{ accept: '*/*' }, json],
      [{ accept: json }, json],
      [{ accept: 'application/json;q=0.9' }, json],
      [{ accept: 'application/*' }, json],
      [{ accept: stream }, stream],
      [{ accept: `${json}, ${stream}` }, stream],
    ]
    for (const path of ['/mcp', '/mcp/'])
      for (const [headers, type] of forms)
        for (const body of [INITIALIZE, LIST]) {
          const answer = await send(path, { body, headers: { ...bearer(), ...headers } })
          const about = `${path} ${headers.accept} ${body.method}`
          expect(answer.status, about).to.equal(200)
          expect(answer.headers.get('content-type'), about).to.include(type)
          expect(saidBy(type, await answer.text()), about).to.have.property('result')
        }
    const without = await withoutAccept(INITIALIZE)
    expect([without.status, saidBy(json, without.body)]).to.deep.include(200)
    const batch = await send('/mcp', { body: [LIST, { ...LIST, id: 2 }], headers: { ...bearer(), accept: json } })
    expect(((await batch.json()) as readonly { id: number }[]).map(({ id }) => id).sort()).to.deep.equal([0, 2])
    expect((await send('/mcp', { body: LIST, headers: { ...bearer(), accept: 'text/html' } })).status).to.equal(406)
  })

  /** Sends a message without the header that `fetch` always has. */
  const withoutAccept = (body: unknown) =>
    new Promise<{ status: number | undefined; body: string }>((done, fail) => {
      const headers = { ...bearer(), 'content-type': 'application/json' }
      const sent = httpRequest(url, { method: 'POST', headers }, (answer) =>
        text(answer).then((said) => done({ status: answer.statusCode, body: said }), fail),
      )
      sent.on('error', fail).end(JSON.stringify(body))
    })

  it('takes no other methods, whatever session they name', async () => {
    const sessions: Record<string, string>[] = [{}, { 'mcp-session-id': 'unknown' }]
    for (const method of ['PUT', 'PATCH'])
      for (const headers of sessions) {
        const answer = await send('/mcp/', { method, headers: { ...bearer(), ...headers } })
        expect([answer.status, answer.headers.get('allow')], method).to.deep.equal([405, 'POST, DELETE, OPTIONS'])
      }
  })

  it('refuses a cursor that it never gave', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'])
      for (const accept of ['application/json', 'text/event-stream']) {
        const params = { cursor: 'nonsense' }
        const answer = await withToken({ jsonrpc: '2.0', id: 7, method, params }, { accept })
        const said = saidBy(answer.headers.get('content-type')!, await answer.text())
        expect(said, method).to.deep.include({ id: 7 }).and.nested.property('error.code', -32_602)
      }
  })

  it('announces no messages that it never sends', async () => {
    for (const era of ERAS) {
      const agent = await tenant.agent({ era })
      const { tools, resources } = agent.client.getServerCapabilities()!
      expect([tools?.listChanged ?? false, resources?.listChanged ?? false], era).to.deep.equal([false, false])
      await agent.close()
    }
  })

  it('never answers 500, whatever is sent', async () => {
    const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const bodies: readonly unknown[] = [
      ...[
        null,
        5,
        'x',
        true,
        [],
        [1],
        [null],
        {},
        { jsonrpc: '2.0' },
        { method: 5 },
        { jsonrpc: '2.0', id: {}, method: 'x' },
      ],
      ...[call(null), call(5), call({}), call({ name: 5 }), call({ name: 'nothing' }), call({ name: '__proto__' })],
      call({ name: 'call_read_operation', arguments: { operation_id: {}, query: 'x', path: [] } }),
      call({ name: 'call_read_operation', arguments: { operation_id: 'constructor', query: { a: { b: { c: 1 } } } } }),
      call({ name: 'what_changed', arguments: { kind: {}, id: [] } }),
      call({ name: 'what_changed', arguments: { kind: '__proto__', id: 1 } }),
      call({ name: 'find_contact', arguments: { contact_id: 'no id' } }),
      call({ name: 'find_contact', arguments: { email_address: '\u0000\ud800' } }),
      call({ name: 'workspace_overview', arguments: { continue_at: '/nowhere@3' } }),
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'millrace://record/contacts/../1' } },
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'millrace://docs/..%2f..%2fpackage' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]
    for (const body of bodies) {
      const answer = await withToken(body)
      const text = await answer.text()
      expect(answer.status, JSON.stringify(body)).to.be.below(500)
      expect(text, JSON.stringify(body)).not.to.include('\\"status\\":500').and.not.include('-32603')
    }
  })

  it('refuses what is no message, in the form of the protocol', async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: '{',
    })
    expect(answer.status).to.equal(400)
    expect(await answer.json()).to.have.nested.property('error.code', -32_700)
    expect((await send('/elsewhere', { method: 'GET' })).status).to.equal(404)
  })
})
