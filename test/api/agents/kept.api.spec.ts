import { expect } from 'chai'
import type { Agent } from '../../../api/agents/agent.ts'
import type { Answer } from '../../../api/agents/calls/answer.ts'
import { keep, kept, withinTime } from '../../../api/agents/calls/kept.ts'
import { agentTokens } from '../../../api/oauth/agent-tokens.ts'
import { secretsOf } from '../../../infra/runtime/secrets.ts'
import { type AgentTenant, agentTenant } from '../../support/agents.ts'
import { eventually } from '../../support/eventually.ts'

const KEY = new Uint8Array(32)

describe('answers that are kept', () => {
  let tenant: AgentTenant

  before(async () => {
    tenant = await agentTenant()
  })

  /** An agent with all that keeping takes. */
  const agentOf = async (clientId = 'one', patienceMs = 0): Promise<Agent> => {
    const { shortTerm, readModels } = tenant.service.background.stores
    const tokens = agentTokens({ shortTerm, everywhere: readModels.live, generationOf: () => 0, now: Date.now })
    const access = await tokens.authenticate(await tenant.letIn(['read'], clientId))
    const service = {
      shortTerm,
      secrets: secretsOf(KEY),
      patienceMs,
      now: Date.now,
      logger: { error: () => undefined },
    }
    return { service, access, catalogue: undefined, requestId: 'test', lossyNumbers: [] } as unknown as Agent
  }

  it('16 60: a call that takes long answers a handle, by which its answer is asked for', async () => {
    const agent = await agentOf()
    let finish: (answer: Answer) => void = () => undefined
    const work = new Promise<Answer>((done) => {
      finish = done
    })
    const { says } = await withinTime(agent, work)
    expect(says).to.include({ status: 'running' })
    const handle = String(says.handle)
    expect(await kept(agent, handle)).to.deep.equal({ says: { status: 'running' } })
    const answer = { says: { status: 200 }, data: { first_name: 'Ann' }, isError: false }
    finish(answer)
    await eventually(async () => expect(await kept(agent, handle)).to.deep.equal(answer))
    expect(await kept(await agentOf('another'), handle)).to.equal(undefined)
  })

  it('16 60: a call that is done in time has no handle', async () => {
    const answer: Answer = { says: { status: 200 } }
    expect(await withinTime(await agentOf('one', 60_000), Promise.resolve(answer))).to.equal(answer)
  })

  it('what is kept is sealed', async () => {
    const agent = await agentOf()
    const stored: unknown[] = []
    const { shortTerm } = agent.service
    const watched = { ...shortTerm, put: async (...sent: Parameters<typeof shortTerm.put>) => void stored.push(sent) }
    await keep({ ...agent, service: { ...agent.service, shortTerm: watched } }, 'x', { says: {}, data: 'Annabelle' })
    expect(JSON.stringify(stored)).to.include('sealed').and.not.include('Annabelle')
  })
})
