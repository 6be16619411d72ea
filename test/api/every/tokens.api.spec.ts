import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { agentToken } from '../../support/agent-token.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { signIn } from '../../support/oauth.ts'
import { preparing } from '../../support/operations.ts'
import { connect, issueToken, ownerOf } from '../../support/platform.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const routes = routesOf(resources)

/** A client with what the API refuses, or with nothing: the cookie of a page says nothing to the API. */
interface Refused {
  readonly name: string
  readonly client: ApiClient
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a token of each kind that no operation takes. */
const refusedBy = async (service: TestService, tenant: Tenant): Promise<readonly Refused[]> => {
  const connection = await connect(tenant)
  const { teamId, workspaceId } = tenant
  const newKey = { teamId, workspaceId, scopes: ['read'], label: 'Revoked' }
  const revokedKey = await service.background.accounts.issueKey(newKey)
  await service.background.accounts.revokeKey(revokedKey.id)
  const ended = await connect(tenant)
  const ofEnded = await issueToken(tenant, ended)
  ok(await service.client(ofEnded).get('/me'))
  ok(await tenant.api.delete(`/platform_applications/connections/${ended}`))
  const narrowed = await connect(tenant)
  const revoked = await issueToken(tenant, narrowed)
  const application = (await tenant.api.get(`/platform_applications/connections/${narrowed}`)).body
  await connect(tenant, ['contacts:read'], application.platform_application_id)
  const refresh = await issueToken(tenant, connection, { kind: 'refresh' })
  const access = await issueToken(tenant, connection)
  const { user_id: userId } = await ownerOf(tenant)
  const { shortTerm } = service.background.stores
  const tokens = {
    'no token': undefined,
    'a refresh token': refresh,
    'a refresh token that poses as an access token': refresh.replace('mrr_', 'mrp_'),
    'an access token that poses as a key': access.replace('mrp_', 'mr_'),
    'a key that poses as an access token': tenant.token.replace('mr_', 'mrp_'),
    'the token of an agent': await agentToken(shortTerm, { userId, workspaceId, scopes: ['read', 'write'] }),
    'an expired token of an agent': await agentToken(shortTerm, {
      ...{ userId, workspaceId, scopes: ['read', 'write'] },
      expiresAt: Date.now() - 1000,
    }),
    'a token of a connection that has ended': ofEnded,
    'a token that was revoked': revoked,
    'a key that was revoked': revokedKey.token,
    'an unknown access token': `mrp_${'a'.repeat(40)}`,
  }
  const session = { cookie: `mr_session=${await signIn(tenant, userId)}` }
  return [
    ...Object.entries(tokens).map(([name, token]) => ({ name, client: service.client(token) })),
    { name: 'the session of a person who is signed in', client: service.client(), headers: session },
    { name: 'a token in a cookie', client: service.client(), headers: { cookie: `mr_session=${access}` } },
    { name: 'a token as a password', client: service.client(), headers: { authorization: `Basic ${btoa(access)}` } },
  ]
}

const needs = ({ category, level }: Route) => `${category}:${level}`

describe('tokens of every kind at every operation', () => {
  let service: TestService
  let tenant: Tenant
  let refused: readonly Refused[]
  let connection: number
  let full: ApiClient
  let elsewhere: ApiClient

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    refused = await refusedBy(service, tenant)
    connection = await connect(tenant)
    full = service.client(await issueToken(tenant, connection))
    const other = await service.tenant({ test: true })
    elsewhere = service.client(await issueToken(other, await connect(other)))
  })

  const lacking = new Map<string, ApiClient>()

  /** A client with a token that may do everything near to what the operation does, but not that. */
  const clientLacking = async (route: Route): Promise<ApiClient> => {
    const { category, level } = route
    const another = category === 'media' ? 'forms:write' : 'media:write'
    const scopes = level === 'write' ? [`${category}:read`, another] : [another]
    const client = lacking.get(needs(route)) ?? service.client(await issueToken(tenant, connection, { scopes }))
    lacking.set(needs(route), client)
    return client
  }

  for (const route of routes) {
    const { operationId, method } = route
    const { prepared, forget } = preparing(() => tenant, route)

    it(`${operationId} refuses what is no access token with 401, and one without its scope with 403`, async () => {
      const { path, body } = await prepared()
      for (const { name, client, headers = {} } of refused) {
        const answer = await client.call(method, path, body, { headers })
        expect(answer.status, name).to.equal(401)
        expect(answer.headers.get('link'), name).to.include('rel="oauth-protected-resource"')
      }
      const answer = await (await clientLacking(route)).call(method, path, body)
      expect(answer.status).to.equal(403)
      expect(answer.body.error).to.equal(`Forbidden: this token lacks the scope ${needs(route)}`)
      expect(answer.headers.get('link')).to.include('rel="oauth-protected-resource"')
    })

    it(`${operationId} takes the access token of a connection in its workspace alone`, async () => {
      const { path, body } = await prepared()
      if (route.operation.ofTeam) {
        expect((await full.call(method, path, body)).status).to.equal(403)
        return
      }
      if (path !== route.path && !('byCode' in route.operation))
        expect((await elsewhere.call(method, path, body)).status).to.equal(404)
      const { status } = await full.call(method, path, body)
      forget()
      expect(status).to.be.below(500)
      expect(status).not.to.be.oneOf([401, 403])
      // Some operations answer 404 for a record that is not fit for them, whoever asks.
      if (status === 404) expect((await tenant.api.call(method, path, body)).status).to.equal(404)
    })
  }
})
