import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { hostMillrace, millrace } from '../support/millrace.ts'
import { consentTo, enteredBy, targetOf } from '../support/oauth.ts'
import { agentRequest, exchange, refresh, registeredAgent } from '../support/oauth-agents.ts'

const contentsBelow = (folder: string): readonly Buffer[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)))

describe('what a service writes about those who come in', function () {
  this.timeout(120_000)
  let home: string
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'millrace-secrets-'))
  })
  after(() => rm(home, { recursive: true, force: true }))

  it('16 47: neither its log nor a backup has a link, session, code or token in clear', async () => {
    const [data, copy] = [path.join(home, 'data'), path.join(home, 'copy')]
    const log: string[] = []
    const service = await hostMillrace(data, { MILLRACE_LOG_LEVEL: 'trace' }, log)
    const link = new URL(service.ready.sign_in!)
    const browser = await enteredBy(link.origin, link.pathname)
    const agent = await registeredAgent(link.origin)
    const answer = await (await consentTo({ browser }, agentRequest(agent))).decide('allow')
    const code = targetOf(answer).searchParams.get('code')!
    const { body } = await exchange(agent, { code })
    const rotated = await refresh(agent, body.refresh_token)
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = {
      authorization: `Bearer ${rotated.body.access_token}`,
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    }
    const called = await fetch(service.ready.mcp, { method: 'POST', headers, body: JSON.stringify(list) })
    expect(called.status).to.equal(200)
    const backup = await millrace(['backup', copy, '--data', data])
    expect([backup.code, backup.err]).to.deep.equal([0, ''])
    await service.stop()
    const secrets = [
      ...[link.pathname.split('/').at(-1)!, code, body.access_token, body.refresh_token],
      ...[rotated.body.access_token, rotated.body.refresh_token],
      ...browser.cookies().flatMap(({ name, value }) => (name === 'mr_session' ? [value.split('.')[1]!] : [])),
    ]
    expect(secrets).to.have.length(7)
    const said = log.join('')
    expect(said).to.contain('"operation":"account_page"').and.contain('"operation":"agents call"')
    const copied = contentsBelow(copy)
    expect(copied.some((content) => content.includes('UserSignedIn'))).to.equal(true)
    for (const secret of secrets) {
      expect(said).to.not.contain(secret)
      expect(copied.some((content) => content.includes(secret))).to.equal(false)
    }
  })
})
