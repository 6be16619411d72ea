import { join } from 'node:path'
import { expect } from 'chai'
import { openShortTermStore } from '../../../infra/sqlite/short-term-store.ts'
import { patience } from '../../reliability/form.ts'
import { startServiceProcess, suiteDirectories } from '../../reliability/service-process.ts'
import { agentToken } from '../../support/agent-token.ts'
import { apiClient, ok } from '../../support/client.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

describe('the agent server after a kill', function () {
  this.timeout(patience)
  const places = suiteDirectories('agents-restart')

  after(() => places.clear())

  it('16 51: a call under the id of a session from before succeeds, or is 404: never "not initialized"', async () => {
    const data = places.place()
    const first = await startServiceProcess(data)
    const { workspace_id: workspaceId, api_key, mcp } = first.ready
    const api = apiClient(first.url, api_key!)
    const { team_id } = ok(await api.get(`/workspaces/${workspaceId}`))
    const members = ok(await api.get(`/teams/${team_id}/memberships`)) as unknown as readonly { user_id: number }[]
    const shortTerm = openShortTermStore(join(data, 'short-term.db'))
    const token = await agentToken(shortTerm, { userId: members[0]!.user_id, workspaceId, scopes: ['read', 'write'] })
    shortTerm.close()
    const send = (url: string, body: object, session?: string | null) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session && { 'mcp-session-id': session }),
        },
        body: JSON.stringify(body),
      })
    const begun = await send(mcp, INITIALIZE)
    const session = begun.headers.get('mcp-session-id')
    expect(session).to.be.a('string')
    await begun.text()
    await first.stop('SIGKILL')
    const second = await startServiceProcess(data)
    const params = { name: 'workspace_overview', arguments: {} }
    const answer = await send(second.ready.mcp, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session)
    expect(answer.status).to.equal(200)
    expect(await answer.text())
      .to.include('workspace')
      .and.not.include('not initialized')
    await second.stop()
  })
})
