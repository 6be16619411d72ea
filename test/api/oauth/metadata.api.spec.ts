import { expect } from 'chai'
import { issuerOf } from '../../support/oauth.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

describe('metadata of the authorization server', () => {
  let service: TestService
  let origin: string

  before(async () => {
    service = await testService()
    origin = issuerOf(service)
  })

  const documentAt = async (url: string) => {
    const answer = await fetch(url)
    expect(answer.status, url).to.equal(200)
    expect(answer.headers.get('content-type')).to.match(/^application\/json/)
    return JSON.parse(await answer.text())
  }

  it('16 48: answers at the root and with the path behind, with what the contract names', async () => {
    const document = await documentAt(origin + SERVER)
    expect(document).to.deep.include({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect(document.scopes_supported).to.include.members(['admin', 'read', 'write', 'delete', 'mcp', 'contacts:read'])
    expect(document.response_modes_supported).to.deep.equal(['query'])
    for (const behind of ['/mcp', '/api/v2', '/oauth'])
      expect(await documentAt(origin + SERVER + behind), behind).to.deep.equal(document)
    expect((await fetch(`${origin}${SERVER}/elsewhere`)).status).to.equal(404)
  })

  it('16 48: the API has a document of its own, whose address is the one that was asked for', async () => {
    expect(await documentAt(origin + RESOURCE)).to.deep.include({ resource: origin, authorization_servers: [origin] })
    expect(await documentAt(`${origin}${RESOURCE}/api/v2`)).to.include({ resource: `${origin}/api/v2` })
  })

  it('16 48: every address comes from the configuration, never from the request', async () => {
    const own = await startTestService({ MILLRACE_API_URL: 'https://api.example.com' })
    for (const path of [SERVER, RESOURCE]) {
      const answer = await fetch(own.url + path, {
        headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
      })
      const text = await answer.text()
      expect(text).to.include('https://api.example.com').and.not.include('evil').and.not.include('127.0.0.1')
    }
  })

  it('16 49: metadata and endpoints for programs answer preflights without a token, and never allow cookies', async () => {
    const asked = { origin: 'https://inspector.example', 'access-control-request-headers': 'authorization' }
    for (const [path, method] of [
      [SERVER, 'GET'],
      [`${SERVER}/mcp`, 'GET'],
      [RESOURCE, 'GET'],
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
    ] as const) {
      const headers = { ...asked, 'access-control-request-method': method }
      const answer = await fetch(origin + path, { method: 'OPTIONS', headers })
      expect(answer.status, path).to.equal(204)
      expect(answer.headers.get('access-control-allow-origin')).to.equal('*')
      expect(answer.headers.get('access-control-allow-methods')).to.include(method)
      for (const name of [
        'Authorization',
        'Content-Type',
        'Accept',
        'MCP-Protocol-Version',
        'Mcp-Session-Id',
        'Mcp-Method',
        'Mcp-Name',
        'Last-Event-ID',
      ])
        expect(answer.headers.get('access-control-allow-headers'), path).to.include(name)
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(null)
    }
  })

  it('16 49: pages of other origins may read the answers, errors too', async () => {
    for (const [path, init] of [
      [SERVER, {}],
      [
        '/oauth/token',
        { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'nobody' }) },
      ],
      ['/oauth/register', { method: 'POST', body: '{}' }],
    ] as const) {
      const answer = await fetch(origin + path, { ...init, headers: { origin: 'https://inspector.example' } })
      expect(answer.headers.get('access-control-allow-origin'), path).to.equal('*')
      expect(answer.headers.get('access-control-expose-headers'))
        .to.include('WWW-Authenticate')
        .and.include('Mcp-Session-Id')
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(null)
    }
  })
})
