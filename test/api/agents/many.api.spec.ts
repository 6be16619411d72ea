import { expect } from 'chai'
import { type AgentTenant, agentTenant, ERAS, type TestAgent } from '../../support/agents.ts'
import { ok } from '../../support/client.ts'

const CLIENTS = 50
const CALLS = 200
const AT_ONCE = 16

describe('many agents at once', () => {
  let tenant: AgentTenant

  before(async () => {
    tenant = await agentTenant()
  })

  const contactNamed = async (first_name: string): Promise<number> =>
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { first_name } })).id

  it('16 54: 50 clients that all number their requests from 0 get their own answers and progress', async () => {
    const ids = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => contactNamed(`Client ${at}`)))
    const agents: TestAgent[] = []
    for (let at = 0; at < CLIENTS; at++)
      agents.push(await tenant.agent({ era: ERAS[at % 2]!, clientId: `client-${at}` }))
    const seen = await Promise.all(
      agents.map(async ({ client }, at) => {
        const steps: number[] = []
        const onprogress = ({ progress }: { readonly progress: number }) => void steps.push(progress)
        const result = await client.callTool(
          { name: 'find_contact', arguments: { contact_id: ids[at]! } },
          { onprogress },
        )
        return { steps, text: JSON.stringify(result.content) }
      }),
    )
    for (const [at, { steps, text }] of seen.entries()) {
      expect(text).to.include(`Client ${at}\\"`)
      expect(steps, `client ${at}`).to.deep.equal([1, 2])
    }
    await Promise.all(agents.map((agent) => agent.close()))
  })

  it('200 calls at 16 at a time beside a load of the API all get their answers', async () => {
    const agents = await Promise.all(ERAS.map((era) => tenant.agent({ era })))
    const workspace = `/workspaces/${tenant.workspaceId}`
    let isLoaded = true
    const load = Array.from({ length: 4 }, async () => {
      let requests = 0
      for (; isLoaded; requests++)
        ok(
          await tenant.api.post(`${workspace}/contacts`, {
            contact: { first_name: 'Load', last_name: String(requests) },
          }),
        )
      return requests
    })
    const left = Array.from({ length: CALLS }, (_, at) => at)
    const answered = new Set<number>()
    const worker = async () => {
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        const agent = agents[at % agents.length]!
        const body = { contact: { first_name: `Call ${at}` } }
        const said = await agent.call('call_write_operation', { operation_id: 'createContacts', body })
        expect(said, JSON.stringify(said)).to.include({ status: 201, isError: false })
        expect(said.data).to.have.property('first_name', `Call ${at}`)
        answered.add((said.data as { id: number }).id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    isLoaded = false
    expect((await Promise.all(load)).every((requests) => requests > 0)).to.equal(true)
    expect(answered.size).to.equal(CALLS)
    await Promise.all(agents.map((agent) => agent.close()))
  })
})
