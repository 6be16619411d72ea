import { expect } from 'chai'
import { agentToken } from '../../support/agent-token.ts'
import { connect, type TestAgent } from '../../support/agents.ts'
import { ok } from '../../support/client.ts'
import { type Person, signedInPerson } from '../../support/oauth.ts'
import { type TestService, testService } from '../../support/service.ts'

describe('confirming in a browser what agents do', () => {
  let service: TestService
  let person: Person
  let agent: TestAgent

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    const { userId, tenant } = person
    const token = await agentToken(service.background.stores.shortTerm, {
      userId,
      workspaceId: tenant.workspaceId,
      scopes: ['read', 'write'],
    })
    agent = await connect(service.agentsUrl, token, { says: 'yes' })
    const path = `/workspaces/${tenant.workspaceId}/agents`
    expect(ok(await tenant.api.get(path))).to.deep.equal({ confirmed_in: 'agent' })
    expect(ok(await tenant.api.put(path, { agents: { confirmed_in: 'browser' } }))).to.deep.equal({
      confirmed_in: 'browser',
    })
    expect(ok(await tenant.api.get(path))).to.deep.equal({ confirmed_in: 'browser' })
  })

  after(() => agent.close())

  let count = 0
  const tag = async (): Promise<number> => {
    const contacts_tag = { name: `Tag ${++count}` }
    return ok(await person.tenant.api.post(`/workspaces/${person.tenant.workspaceId}/contacts/tags`, { contacts_tag }))
      .id
  }
  const isThere = async (id: number) => (await person.tenant.api.get(`/contacts/tags/${id}`)).status === 200
  const remove = (id: number, code?: unknown) =>
    agent.call('call_write_operation', {
      ...{ operation_id: 'removeContactsTags', path: { id } },
      ...(code !== undefined && { confirmation_code: String(code) }),
    })
  const decide = async (address: unknown, decision: string, { browser }: Pick<Person, 'browser'> = person) => {
    const page = await browser.fetch(String(address))
    const html = await page.text()
    const token = /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const body = new URLSearchParams({ form_token: token, decision })
    const { status } = await browser.fetch(String(address), { method: 'POST', body })
    return { html, shown: page.status, status }
  }

  it('16 59: nothing is done, with whatever the program answers, until the person confirms in a browser', async () => {
    const id = await tag()
    const asked = await remove(id)
    expect(asked.confirm_at).to.equal(
      `http://localhost:${new URL(service.url).port}/account/agents/confirm/${asked.confirmation_code}`,
    )
    expect((await remove(id, asked.confirmation_code)).done).to.equal(false)
    expect(await isThere(id)).to.equal(true)
    const { html, status } = await decide(asked.confirm_at, 'yes')
    expect(html).to.include(`DELETE /api/v2/contacts/tags/${id}`)
    expect(status).to.equal(200)
    expect(await remove(id, asked.confirmation_code)).to.include({ status: 204 })
    expect(await isThere(id)).to.equal(false)
  })

  it('16 59: a refusal, another person and a look at the page do nothing', async () => {
    const id = await tag()
    const refused = await remove(id)
    await decide(refused.confirm_at, 'no')
    expect((await remove(id, refused.confirmation_code)).done).to.equal(false)
    const other = await signedInPerson(service)
    const asked = await remove(id)
    expect(await decide(asked.confirm_at, 'yes', other)).to.include({ shown: 404 })
    await person.browser.fetch(String(asked.confirm_at))
    expect((await remove(id, asked.confirmation_code)).done).to.equal(false)
    expect(await isThere(id)).to.equal(true)
  })

  it('16 59: an agent cannot switch that off by itself', async () => {
    const input = { operation_id: 'setWorkspacesAgents', body: { agents: { confirmed_in: 'agent' } } }
    const asked = await agent.call('call_write_operation', input)
    expect(asked).to.include({ done: false })
    expect(asked.confirm_at).to.be.a('string')
  })
})
