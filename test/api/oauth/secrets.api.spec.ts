import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { allow, consentTo, issuerOf, signedInPerson, targetOf } from '../../support/oauth.ts'
import { agentRequest, exchange, refresh, registeredAgent, sendJson } from '../../support/oauth-agents.ts'
import { makeApplication } from '../../support/platform.ts'
import { startTestService } from '../../support/service.ts'

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 0)

describe('what the authorization server stores', () => {
  let data: string

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-oauth-'))
  })

  after(() => rm(data, { recursive: true, force: true }))

  it('16 47: after whole flows no file has a code, token, secret or session in clear', async () => {
    const service = await startTestService({ MILLRACE_DATA: data })
    const origin = issuerOf(service)
    const person = await signedInPerson(service)
    const secrets: Record<string, string> = {}
    const agent = await registeredAgent(origin)
    const page = await consentTo(person, agentRequest(agent))
    secrets.request = /consent\/([\w-]+)/.exec(page.path)![1]!
    secrets.code = targetOf(await page.decide('allow')).searchParams.get('code')!
    secrets.unused = (await allow(person, agentRequest(agent))).searchParams.get('code')!
    const { body } = await exchange(agent, { code: secrets.code })
    const rotated = await refresh(agent, body.refresh_token)
    Object.assign(secrets, { access: body.access_token, refresh: body.refresh_token })
    Object.assign(secrets, { nextAccess: rotated.body.access_token, nextRefresh: rotated.body.refresh_token })
    const kept = await sendJson(`${origin}/oauth/register`, {
      redirect_uris: ['http://127.0.0.1/'],
      token_endpoint_auth_method: 'client_secret_post',
    })
    secrets.agentSecret = kept.body.client_secret
    const { client_id, client_secret } = await makeApplication(person.tenant)
    secrets.applicationSecret = String(client_secret)
    const redirect_uri = 'https://application.example/callback'
    const of = { origin, clientId: String(client_id) }
    const request = new URLSearchParams({ response_type: 'code', client_id: of.clientId, redirect_uri })
    secrets.platformCode = (await allow(person, `/oauth/authorize?${request}`)).searchParams.get('code')!
    const platform = await exchange(of, {
      ...{
        client_secret: secrets.applicationSecret,
        code: secrets.platformCode,
        redirect_uri,
        code_verifier: undefined,
      },
    })
    Object.assign(secrets, { platformAccess: platform.body.access_token, platformRefresh: platform.body.refresh_token })
    const [session] = person.browser.cookies().filter(({ name }) => name === 'mr_session')
    secrets.session = session!.value.split('.')[1]!
    await service.caughtUp()
    const files = filesBelow(data)
    expect(files.some((file) => file.endsWith('short-term.db-wal') || file.endsWith('short-term.db'))).to.equal(true)
    const inClear = (text: string) => files.filter((file) => readFileSync(file).includes(text))
    expect(inClear(agent.clientId), 'what is no secret is found').not.to.deep.equal([])
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).to.be.a('string').with.length.above(20)
      expect(inClear(secret), name).to.deep.equal([])
    }
  })
})
