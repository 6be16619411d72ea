import { expect } from 'chai'
import { type ApiClient, ok } from '../../support/client.ts'
import { allow, issuerOf, type Person, signedInPerson } from '../../support/oauth.ts'
import { type ProgramAnswer, sendForm } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type TestService, testService } from '../../support/service.ts'

const CALLBACK = 'https://application.example/callback'
/** Challenge of the verifier, by S256 (the example of RFC 7636). */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('platform applications at the token endpoint', () => {
  let service: TestService
  let person: Person
  let wide: ApiClient
  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    wide = await person.tenant.withScopes(['read', 'write'], 'team')
  })

  const codeFor = async (client_id: string): Promise<string> => {
    const request = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri: CALLBACK, new_installation: 'true', state: 's' },
      ...{ scope: 'read write', code_challenge: CHALLENGE, code_challenge_method: 'S256' },
    })
    return (await allow(person, `/oauth/authorize?${request}`)).searchParams.get('code') ?? ''
  }
  const send = (fields: Record<string, string>, authorization?: string): Promise<ProgramAnswer> =>
    sendForm(`${issuerOf(service)}/oauth/token`, fields, authorization === undefined ? {} : { authorization })
  const exchangeOf = (code: string) => ({
    ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
  })
  const basic = (...parts: readonly string[]) => `Basic ${btoa(parts.join(':'))}`

  it('16 34: prove themselves by Post, by Basic whether or not its parts are form-encoded, and without a secret if they are public', async () => {
    const made = await makeApplication(person.tenant)
    const [id, secret] = [String(made.client_id), String(made.client_secret)]
    const encoded = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
    const post = { client_id: id, client_secret: secret }
    const answers = [
      await send({ ...exchangeOf(await codeFor(id)), ...post }),
      await send(exchangeOf(await codeFor(id)), basic(id, secret)),
      await send(exchangeOf(await codeFor(id)), basic(encoded(id), encoded(secret))),
    ]
    const open = String((await makeApplication(person.tenant, { confidential: false })).client_id)
    answers.push(await send({ ...exchangeOf(await codeFor(open)), client_id: open }))
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).to.equal(200)
      expect((await service.client(body.access_token).get('/me')).status).to.equal(200)
    }
  })

  it('are refused with a wrong secret, without one, and with the one before a rotation', async () => {
    const made = await makeApplication(person.tenant)
    const [id, secret] = [String(made.client_id), String(made.client_secret)]
    const code = await codeFor(id)
    const wrong = [
      await send({ ...exchangeOf(code), client_id: id, client_secret: `${secret}x` }),
      await send(exchangeOf(code), basic(id, secret.toLowerCase())),
    ]
    for (const { status, body } of [
      await send({ ...exchangeOf(code), client_id: id }),
      await send(exchangeOf(code), basic(id, '')),
    ]) {
      expect(status, JSON.stringify(body)).to.be.oneOf([400, 401])
      expect(body.error).to.be.oneOf(['invalid_request', 'invalid_client'])
    }
    const rotated = ok(await wide.post(`/platform_applications/${made.id}/rotate_secret`, undefined)).client_secret
    wrong.push(await send({ ...exchangeOf(code), client_id: id, client_secret: secret }))
    for (const { status, body, headers } of wrong) {
      expect([status, body.error]).to.deep.equal([401, 'invalid_client'])
      expect(headers.get('cache-control')).to.equal('no-store')
    }
    expect((await send({ ...exchangeOf(code), client_id: id, client_secret: rotated })).status).to.equal(200)
  })

  it('16 43: get a refresh token with every exchange; it stays the same, and earlier access tokens stay valid', async () => {
    const made = await makeApplication(person.tenant)
    const client = { client_id: String(made.client_id), client_secret: String(made.client_secret) }
    const { body: first } = await send({ ...exchangeOf(await codeFor(client.client_id)), ...client })
    expect(first).to.include({ expires_in: 7200, token_type: 'Bearer' })
    const refresh = { grant_type: 'refresh_token', refresh_token: String(first.refresh_token), ...client }
    const tokens = [String(first.access_token)]
    for (let n = 0; n < 3; n++) {
      const { status, body } = await send(refresh)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.refresh_token ?? first.refresh_token).to.equal(first.refresh_token)
      tokens.push(body.access_token)
    }
    expect(new Set(tokens).size).to.equal(4)
    for (const token of tokens) expect((await service.client(token).get('/me')).status).to.equal(200)
  })

  it('16 26: a token is refused everywhere once its connection has ended, the refresh token too', async () => {
    const made = await makeApplication(person.tenant)
    const client = { client_id: String(made.client_id), client_secret: String(made.client_secret) }
    const { body } = await send({ ...exchangeOf(await codeFor(client.client_id)), ...client })
    const connections = ok(await wide.get(`/teams/${person.tenant.teamId}/platform_applications/connections`))
    const { id } = connections.find(
      (one: { platform_application_id: number }) => one.platform_application_id === made.id,
    )
    ok(await wide.delete(`/platform_applications/connections/${id}`))
    expect((await service.client(body.access_token).get('/me')).status).to.equal(401)
    const refreshed = await send({ grant_type: 'refresh_token', refresh_token: body.refresh_token, ...client })
    expect([refreshed.status, refreshed.body.error]).to.deep.equal([400, 'invalid_grant'])
  })

  it('are connected by members of other teams only if they are shared', async () => {
    const other = await signedInPerson(service)
    const request = (client_id: string) =>
      `/oauth/authorize?${new URLSearchParams({
        ...{ response_type: 'code', client_id, redirect_uri: CALLBACK, new_installation: 'true', state: 's' },
        ...{ scope: 'read', code_challenge: CHALLENGE, code_challenge_method: 'S256' },
      })}`
    const shared = await makeApplication(person.tenant, { shared: true })
    expect((await allow(other, request(String(shared.client_id)))).searchParams.get('code')).to.be.a('string')
    const own = await makeApplication(person.tenant)
    const { answer } = await other.browser.open(request(String(own.client_id)))
    expect(answer.status).to.be.below(500)
    expect(await answer.text()).not.to.include('<option')
    const connections = `/teams/${other.tenant.teamId}/platform_applications/connections`
    const ids = ok(await other.tenant.api.get(connections)).map(
      (one: { platform_application_id: number }) => one.platform_application_id,
    )
    expect(ids).to.deep.equal([shared.id])
  })
})
