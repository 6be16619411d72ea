import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { allow, consentTo, issuerOf, type Person, signedInPerson, targetOf } from '../support/oauth.ts'
import { makeApplication } from '../support/platform.ts'
import { type TestService, testService } from '../support/service.ts'

const FILE = path.join(import.meta.dirname, '../../../examples/oauth-app/app.mjs')

describe('the example application', () => {
  let service: TestService
  let person: Person
  let child: ChildProcess
  let folder: string
  let tokens: string
  let home: string

  before(async () => {
    service = await testService()
    person = await signedInPerson(service)
    const port = await freePort()
    home = `http://localhost:${port}`
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-oauth-app-'))
    tokens = path.join(folder, 'tokens.json')
    const { client_id, client_secret } = await makeApplication(person.tenant, { redirect_uris: [`${home}/callback`] })
    const own = { CLIENT_ID: String(client_id), CLIENT_SECRET: String(client_secret), MILLRACE: issuerOf(service) }
    const env = { ...process.env, ...own, PORT: String(port), TOKENS: tokens }
    child = spawn(process.execPath, [FILE], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((go) => createInterface({ input: child.stdout! }).once('line', go))
  })
  after(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  const shown = async (): Promise<string> => (await fetch(home)).text()

  /** Begins to connect, as the link on the page does. */
  const begin = async () => {
    const answer = await fetch(`${home}/connect`, { redirect: 'manual' })
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    return { request: answer.headers.get('location')!, cookie }
  }
  const finish = (target: URL, cookie: string) => fetch(target, { headers: { cookie } })

  it('connects a workspace, stores the tokens for itself alone, and shows contacts', async () => {
    const { api, workspaceId } = person.tenant
    const contact = { email_address: 'ada@example.com' }
    ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact }))
    expect(await shown()).to.include('Connect a workspace')
    const { request, cookie } = await begin()
    const answer = await finish(await allow(person, request), cookie)
    expect(await answer.text())
      .to.include('ada@example.com')
      .and.to.include('1 contacts')
    expect(statSync(tokens).mode & 0o777).to.equal(0o600)
    expect(JSON.parse(readFileSync(tokens, 'utf8'))).to.include({ workspace_id: workspaceId, token_type: 'Bearer' })
  })

  it('does not take an answer that another browser asked for, or that is not from Millrace', async () => {
    const { request, cookie } = await begin()
    const target = await allow(person, request)
    expect((await finish(target, 'state=another')).status).to.equal(400)
    target.searchParams.set('iss', 'https://evil.example')
    expect((await finish(target, cookie)).status).to.equal(400)
  })

  it('says that the person declined', async () => {
    const { request, cookie } = await begin()
    const answer = await finish(targetOf(await (await consentTo(person, request)).decide('deny')), cookie)
    expect([answer.status, await answer.text()]).to.deep.equal([
      400,
      '<!doctype html><p>Not connected: access_denied</p>',
    ])
  })

  it('forgets its tokens when it is disconnected', async () => {
    const { api, teamId } = person.tenant
    const [connection] = ok(await api.get(`/teams/${teamId}/platform_applications/connections`))
    ok(await api.delete(`/platform_applications/connections/${connection.id}`))
    expect(await shown()).to.include('The workspace was disconnected')
    expect(await shown()).to.include('Connect a workspace')
  })
})
