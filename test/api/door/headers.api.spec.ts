import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { BROWSER } from '../../support/hosts.ts'
import { issuerOf } from '../../support/oauth.ts'
import { agentRequest, registeredAgent } from '../../support/oauth-agents.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { splitFunnel } from '../../support/traffic/entry-traffic.ts'

const PRIVATE = 'private, no-store'
const READABLE = ['ETag', 'Link', 'Pagination-Next', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** The answer to raw bytes that no client would send. */
const answerTo = async (url: string, sent: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(sent)
  return text(socket)
}

describe('headers of every answer', () => {
  let service: TestService
  let tenant: Tenant
  let contact: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const made = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { first_name: 'A' } })
    contact = `/api/v2/contacts/${made.body.id}`
  })

  const ask = (path: string, { method = 'GET', token = tenant.token, url = service.url, headers = {} } = {}) =>
    fetch(url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers }, redirect: 'manual' })

  it('forbid browsers to guess another content type', async () => {
    const { url, publicUrl } = service
    const answers: readonly (readonly [number, Promise<Response>])[] = [
      [200, ask(contact)],
      [200, ask(contact, { method: 'HEAD' })],
      [200, ask(`/api/v2/workspaces/${tenant.workspaceId}/contacts`)],
      [400, ask(`/api/v2/workspaces/${tenant.workspaceId}/contacts?filter[odd]=1`)],
      [401, ask(contact, { token: 'mr_unknown' })],
      [404, ask('/api/v2/contacts/2000000000')],
      [404, ask('/nothing/here')],
      [404, ask(contact, { method: 'POST' })],
      [200, ask('/health/live')],
      [200, ask('/health/ready')],
      [200, ask('/metrics')],
      [200, ask('/.well-known/oauth-protected-resource')],
      [200, ask('/api/v2.json')],
      [200, ask('/api/v2.yaml')],
      [302, ask('/api/v2', { headers: { accept: 'text/html' } })],
      [200, ask('/api/v2/reference')],
      [200, ask('/api/v2/reference/swagger-ui.css')],
      [404, ask('/', { url: publicUrl })],
      [403, ask('/downloads/contacts/export_action/1?signature=x', { url: publicUrl })],
    ]
    for (const [status, answering] of answers) {
      const answer = await answering
      await answer.arrayBuffer()
      const about = `${answer.url} ${status}`
      expect(answer.status, about).to.equal(status)
      expect(answer.headers.get('x-content-type-options'), about).to.equal('nosniff')
      expect(answer.headers.get('cache-control'), about).to.match(
        /^(private, no-store|public, no-cache|max-age=86400)$/,
      )
      expect(answer.headers.get('x-request-id'), about).to.be.a('string')
    }
    expect(url).not.to.equal(publicUrl)
  })

  it('forbid caching of personal data', async () => {
    for (const path of [contact, `/api/v2/workspaces/${tenant.workspaceId}/contacts`, '/api/v2/contacts/1', '/nowhere'])
      expect((await ask(path)).headers.get('cache-control'), path).to.equal(PRIVATE)
    expect((await ask('/metrics')).headers.get('cache-control')).to.equal(PRIVATE)
  })

  it('let pages of other origins read what a token gives them, without credentials of the browser', async () => {
    const paths = [
      contact,
      '/api/v2/contacts/2000000000',
      '/nowhere',
      '/api/v2.json',
      '/.well-known/oauth-protected-resource',
    ]
    for (const path of paths) {
      const { headers } = await ask(path, { headers: { origin: 'https://app.example' } })
      expect(headers.get('access-control-allow-origin'), path).to.equal('*')
      expect(headers.get('access-control-allow-credentials'), path).to.equal(null)
      expect(headers.get('access-control-expose-headers')?.split(', '), path).to.include.members(READABLE)
    }
    const turnedAway = await ask(contact, { token: 'mr_unknown' })
    expect(turnedAway.headers.get('access-control-allow-origin')).to.equal('*')
    expect((await ask('/x', { url: service.publicUrl })).headers.get('access-control-allow-origin')).to.equal('*')
  })

  it('protect metrics from web pages that a user on this machine views', async () => {
    for (const path of ['/metrics', '/health/ready'])
      expect((await ask(path)).headers.get('access-control-allow-origin'), path).to.equal(null)
  })

  it('answer what a browser asks before it sends', async () => {
    for (const url of [service.url, service.publicUrl]) {
      const asked = await fetch(url + contact, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
        },
      })
      expect([asked.status, await asked.text()]).to.deep.equal([204, ''])
      expect(asked.headers.get('access-control-allow-origin')).to.equal('*')
      expect(asked.headers.get('access-control-allow-methods')).to.include('PATCH').and.include('DELETE')
      const allowed = asked.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
      expect(allowed).to.include.members(['authorization', 'content-type', 'idempotency-key', 'if-match'])
    }
    expect((await ask(contact, { method: 'OPTIONS' })).status).to.equal(404)
  })

  it('are present when the request is not HTTP', async () => {
    for (const url of [service.url, service.publicUrl]) {
      for (const [sent, status] of [
        ['nonsense\r\n\r\n', 400],
        ['GET / HTTP/1.1\r\n\r\n', 400],
        [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
      ] as const) {
        const [head, body] = (await answerTo(url, sent)).split('\r\n\r\n')
        expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} `))
        expect(head).to.match(/^Connection: close$/m)
        expect(head).to.include('X-Content-Type-Options: nosniff').and.include(`Cache-Control: ${PRIVATE}`)
        expect(JSON.parse(body!)).to.have.keys('error', 'details', 'request_id')
      }
    }
  })

  it('answer an expectation that is not known like any other request', async () => {
    const asked = request(service.url + contact, {
      headers: { authorization: `Bearer ${tenant.token}`, expect: 'a miracle' },
    })
    const answered = new Promise<number | undefined>((resolve) => {
      asked.once('response', ({ statusCode }) => resolve(statusCode))
    })
    asked.end()
    expect(await answered).to.equal(200)
  })

  it('are below 8 KiB, however much of the request they have to repeat', async () => {
    const long = 'a1%20'.repeat(2600)
    const sizeOf = (url: string, headers: Record<string, string>, method = 'GET', body?: string) =>
      new Promise<{ status: number | undefined; bytes: number }>((done, fail) => {
        const sent = request(url, { method, headers }, (answer) => {
          answer
            .resume()
            .on('end', () => done({ status: answer.statusCode, bytes: answer.rawHeaders.join(': \r\n').length }))
        })
        sent.on('error', fail).end(body)
      })
    const { url, publicUrl, sdkUrl } = service
    const { funnel, host } = await splitFunnel(tenant)
    const own = { authorization: `Bearer ${tenant.token}` }
    for (let made = 0; made < 21; made++)
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
        contact: { email_address: `n${made}@long.example` },
      })
    const list = `${url}/api/v2/workspaces/${tenant.workspaceId}/contacts`
    const odd = JSON.stringify({
      contact: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`日本${'語'.repeat(90)}${n}`, 1])),
    })
    const visitor = { host, 'user-agent': BROWSER }
    const asked: readonly (readonly [name: string, answer: ReturnType<typeof sizeOf>])[] = [
      ['a list', sizeOf(`${list}?filter[first_name]=${long}`, own)],
      ['a list that goes on', sizeOf(`${list}?x=${long}`, own)],
      ['names that are ignored', sizeOf(list, own, 'POST', odd)],
      ['the entry of a funnel', sizeOf(`${publicUrl}${funnel.current_path}?q=${long}`, visitor)],
      ['a path with a slash', sizeOf(`${publicUrl}${funnel.current_path}/first/?q=${long}`, visitor)],
      ['the members', sizeOf(`${publicUrl}/members/${long}/`, visitor)],
      ['a page for members', sizeOf(`${publicUrl}/members/orders?${long}`, visitor)],
      ['somebody who is to sign in', sizeOf(`${url}/account?${long}`, {})],
      ['an authorization', sizeOf(`${url}/oauth/authorize?client_id=x&state=${long}`, {})],
      ['a host', sizeOf(`${list}`, { ...own, host: `${'a.'.repeat(3000)}example` })],
      ['an origin', sizeOf(`${sdkUrl}/init`, { origin: `https://${'a.'.repeat(3000)}example` })],
      ['the id of a request', sizeOf(list, { ...own, 'x-request-id': 'a'.repeat(9000) })],
    ]
    for (const [name, answer] of asked) {
      const { status, bytes } = await answer
      expect(status, name).to.be.a('number').and.below(500)
      expect(bytes, `${name} ${status}`).to.be.below(8192)
    }
    expect((await fetch(`${list}?x=1`, { headers: own })).headers.get('link')).to.include('rel="next"')
    const agent = await registeredAgent(issuerOf(service))
    const state = 's'.repeat(5000)
    const refused = await fetch(agent.origin + agentRequest(agent, { state }), { redirect: 'manual' })
    expect(refused.status).to.equal(400)
  })
})
