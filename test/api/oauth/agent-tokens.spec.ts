import { expect } from 'chai'
import { agentTokens } from '../../../api/oauth/agent-tokens.ts'
import { agentToken, ownerOf } from '../../support/agent-token.ts'
import { type TestService, testService } from '../../support/service.ts'

describe('access tokens of agents', () => {
  let service: TestService
  const generations = new Map<number, number>()

  const open = async (scopes: readonly string[]) => {
    const { stores } = service.background
    const { teamId, workspaceId } = await service.tenant()
    const { live } = stores.readModels
    const userId = await ownerOf(live, teamId)
    const { shortTerm } = stores
    const generationOf = (id: number) => generations.get(id) ?? 0
    const tokens = agentTokens({ shortTerm, everywhere: live, generationOf, now: Date.now })
    return {
      tokens,
      shortTerm,
      userId,
      workspaceId,
      teamId,
      token: await agentToken(shortTerm, { userId, workspaceId, scopes }),
    }
  }

  before(async () => {
    service = await testService()
  })

  it('say who acts where, and with which scopes', async () => {
    const { tokens, token, userId, workspaceId, teamId } = await open(['contacts:read'])
    const access = await tokens.authenticate(token)
    expect(access).to.deep.include({ userId, workspaceId, scopes: ['contacts:read'], clientId: 'test-agent' })
    expect(access?.caller).to.deep.include({
      userId,
      workspaceId,
      teamId,
      scopes: ['contacts:read'],
      seesPersonalData: true,
    })
    expect(access?.caller.tokenId).to.match(/^agent:/)
  })

  it('16 37: for an agent a bare read is read-only', async () => {
    const { tokens, token } = await open(['read'])
    const access = await tokens.authenticate(token)
    expect(access?.scopes).to.deep.equal(['read'])
    expect(access?.caller.scopes).to.deep.equal(['read', 'reference:read'])
  })

  it('16 13: end with the generation of the person', async () => {
    const { tokens, token, userId } = await open(['read'])
    expect(await tokens.authenticate(token)).to.be.an('object')
    generations.set(userId, 1)
    expect(await tokens.authenticate(token)).to.equal(undefined)
  })

  it('are refused when they have expired, are unknown, or are of another kind', async () => {
    const { tokens, shortTerm, userId, workspaceId, token } = await open(['read'])
    const expired = await agentToken(shortTerm, { userId, workspaceId, scopes: ['read'], expiresAt: Date.now() - 1 })
    for (const wrong of [expired, `${token}x`, token.replace('mra_', 'mr_'), ''])
      expect(await tokens.authenticate(wrong)).to.equal(undefined)
  })

  it('16 26: are refused for somebody who is no member of the team', async () => {
    const { tokens, shortTerm, workspaceId } = await open(['read'])
    const other = await ownerOf(service.background.stores.readModels.live, (await service.tenant()).teamId)
    const token = await agentToken(shortTerm, { userId: other, workspaceId, scopes: ['read'] })
    expect(await tokens.authenticate(token)).to.equal(undefined)
  })
})
