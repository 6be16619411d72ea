import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Client } from 'undici'
import { parse } from 'yaml'
import { startTestService, testService } from '../support/service.ts'

describe('the service apart from its operations', () => {
  it('serves its OpenAPI document at every root, as JSON and as YAML', async () => {
    const { url } = await testService()
    const json = (await (await fetch(`${url}/api/v2.json`)).json()) as { openapi: string; info: { version: string } }
    expect(json.openapi).to.equal('3.1.0')
    expect(json.info.version).to.equal('2.0.0')
    for (const root of ['/', '/api', '/api/v2']) {
      const asJson = await fetch(url + root, { headers: { accept: 'application/json' } })
      expect(asJson.headers.get('link')).to.include('rel="service-doc"')
      expect(await asJson.json()).to.deep.equal(json)
      const asYaml = await fetch(url + root, { headers: { accept: 'application/yaml' } })
      expect(asYaml.headers.get('content-type')).to.include('yaml')
      expect(parse(await asYaml.text())).to.deep.equal(json)
    }
    for (const path of ['/openapi.yaml', '/api.yaml', '/api/v2.yaml'])
      expect(parse(await (await fetch(url + path)).text())).to.deep.equal(json)
    for (const path of ['/openapi.json', '/api.json'])
      expect(await (await fetch(url + path)).json()).to.deep.equal(json)
  })

  it('serves a page to browse it, with all that the page loads', async () => {
    const { url } = await testService()
    const page = await (await fetch(`${url}/api/v2`, { headers: { accept: 'text/html' } })).text()
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    expect(assets).to.have.length(2)
    for (const asset of assets) expect((await fetch(url + asset)).status, asset).to.equal(200)
  })

  it('reports its health, and how to authenticate', async () => {
    const { url } = await testService()
    expect((await fetch(`${url}/health/live`)).status).to.equal(200)
    expect(await (await fetch(`${url}/health/ready`)).json()).to.deep.equal({ status: 'ready' })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics)
      .to.match(/millrace_projection_position -?\d+/)
      .and.to.include('millrace_process_cpu_seconds_total')
    const resource = (await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()) as {
      scopes_supported: string[]
    }
    expect(resource.scopes_supported).to.include.members(['read', 'write', 'contacts:read', 'reference:write'])
  })

  it('answers the next request of a connection after any refusal', async () => {
    const { url } = await testService()
    const { token, workspaceId } = await (await testService()).tenant()
    const connection = new Client(url)
    const send = async (encoding: string, body: Buffer) => {
      const headers = { authorization: `Bearer ${token}`, 'content-encoding': encoding }
      const path = `/api/v2/workspaces/${workspaceId}/contacts`
      const answer = await connection.request({ method: 'POST', path, headers, body, headersTimeout: 3000 })
      await answer.body.dump()
      return answer.statusCode
    }
    const large = Buffer.alloc(3_000_000, ' ')
    const noise = randomBytes(200_000)
    expect(await send('gzip', noise)).to.equal(400)
    expect(await send('gzip', gzipSync(large))).to.equal(413)
    expect(await send('gzip', Buffer.concat([gzipSync(large), noise]))).to.equal(413)
    expect(await send('identity', large)).to.equal(413)
    expect(await send('nonsense', noise)).to.equal(415)
    expect(await send('identity', Buffer.from('{"contact": {"first_name": "A"}}'))).to.equal(201)
    await connection.close()
  })

  it('limits the requests of a token, and says when to go on', async () => {
    const service = await startTestService({ MILLRACE_RATE_LIMIT: '5' })
    const tenant = await service.tenant()
    const answers = []
    for (let number = 0; number < 6; number++) answers.push(await tenant.api.get('/me'))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).to.deep.equal([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ])
    expect(Number(answers[5]!.headers.get('retry-after'))).to.be.within(1, 60)
    const colleague = await tenant.withScopes(['read'])
    expect((await colleague.get('/me')).status).to.equal(200)
  })

  it('takes the request id that it is given', async () => {
    const { api } = await (await testService()).tenant()
    expect((await api.get('/me', { headers: { 'x-request-id': 'abc-123' } })).headers.get('x-request-id')).to.equal(
      'abc-123',
    )
    const own = (await api.get('/me', { headers: { 'x-request-id': 'not ok' } })).headers.get('x-request-id')
    expect(own).to.match(/^[0-9a-f-]{36}$/)
  })
})
