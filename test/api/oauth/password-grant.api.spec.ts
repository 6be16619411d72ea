import { expect } from 'chai'
import { until } from '../../support/eventually.ts'
import { issuerOf } from '../../support/oauth.ts'
import { sendForm, sendJson } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('the password grant of applications for their own team', () => {
  let service: TestService
  let tenant: Tenant

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })

  const fieldsOf = (made: Record<string, unknown>) => {
    const [client_id, client_secret] = [String(made.client_id), String(made.client_secret)]
    return {
      ...{ grant_type: 'password', client_id, client_secret, username: client_id, password: client_secret },
      scope: 'read write delete',
    }
  }

  const url = () => `${issuerOf(service)}/oauth/token`
  const statusOf = async (token: string) => (await service.client(token).get('/me')).status

  it('gives a token for all workspaces of the team, by a form and by JSON', async () => {
    const made = await makeApplication(tenant)
    for (const send of [sendForm, sendJson]) {
      const { status, body, headers } = await send(url(), fieldsOf(made))
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(headers.get('cache-control')).to.equal('no-store')
      expect(body).to.include({
        token_type: 'Bearer',
        expires_in: 7200,
        scope: 'read write delete',
        team_id: tenant.teamId,
      })
      expect(body).not.to.have.property('refresh_token')
      const api = service.client(body.access_token)
      const { status: seen, body: workspaces } = await api.get(`/teams/${tenant.teamId}/workspaces`)
      expect([seen, workspaces[0].id]).to.deep.equal([200, tenant.workspaceId])
      expect((await api.get('/me')).body.platform_application).to.include({ id: made.id })
    }
  })

  it('takes nothing but the client id and the secret, of a confidential application', async () => {
    const made = await makeApplication(tenant)
    const fields = fieldsOf(made)
    for (const wrong of [
      { username: 'somebody' },
      { password: 'guessed' },
      { username: undefined },
      { password: undefined },
    ])
      expect((await sendForm(url(), { ...fields, ...wrong })).body.error, JSON.stringify(wrong)).to.equal(
        'invalid_grant',
      )
    const { status, body } = await sendForm(url(), { ...fields, client_secret: 'guessed', password: 'guessed' })
    expect([status, body.error]).to.deep.equal([401, 'invalid_client'])
    const open = await makeApplication(tenant, { confidential: false })
    const ofPublic = { ...fieldsOf(open), client_secret: undefined }
    expect((await sendForm(url(), ofPublic)).body.error).to.equal('invalid_request')
  })

  it('its tokens are revoked one by one, with the secret, and with the application', async () => {
    const made = await makeApplication(tenant)
    const issue = async (fields = fieldsOf(made)) => (await sendForm(url(), fields)).body.access_token as string
    const [first, second] = [await issue(), await issue()]
    const { client_id, client_secret } = fieldsOf(made)
    await sendForm(`${issuerOf(service)}/oauth/revoke`, { client_id, client_secret, token: first })
    expect([await statusOf(first), await statusOf(second)]).to.deep.equal([401, 200])
    const api = await tenant.withScopes(['read', 'write'], 'team')
    const rotated = await api.post(`/platform_applications/${made.id}/rotate_secret`)
    await until(async () => (await statusOf(second)) === 401)
    const third = await issue(fieldsOf({ ...made, client_secret: rotated.body.client_secret }))
    expect(await statusOf(third)).to.equal(200)
    await api.delete(`/platform_applications/${made.id}`)
    expect(await statusOf(third)).to.equal(401)
  })

  it('the fifty-first token takes the place of the first', async () => {
    const fields = fieldsOf(await makeApplication(tenant))
    const tokens: string[] = []
    for (let count = 0; count < 51; count++) tokens.push((await sendForm(url(), fields)).body.access_token)
    expect(await Promise.all([tokens[0]!, tokens[1]!, tokens[50]!].map(statusOf))).to.deep.equal([401, 200, 200])
  })
})
