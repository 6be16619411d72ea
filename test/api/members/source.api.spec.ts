import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { askForLink, hostOf, memberBrowser } from '../../support/member.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

describe('the members’ side behind a proxy', () => {
  let service: TestService
  let tenant: Tenant
  let host: string
  before(async () => {
    service = await startTestService({ MILLRACE_BEHIND_PROXY: '1', MILLRACE_PUBLIC_RATE_LIMIT: '100000' })
    tenant = await service.tenant()
    host = await hostOf(tenant)
  })

  it('15 90: sends twenty links an hour to one source, whoever they are for', async () => {
    const ask = async (from: string, address: string) =>
      (await memberBrowser(service, host).post('/members/sign-in', { address }, { 'x-forwarded-for': from })).status
    for (let times = 0; times < 20; times++)
      expect(await ask('198.51.100.7', `nobody${times}@far.example`)).to.equal(303)
    expect(await ask('198.51.100.7', 'nobody@far.example')).to.equal(429)
    expect(await ask('198.51.100.8', 'nobody@far.example')).to.equal(303)
  })

  it('has cookies that belong to the host and to TLS alone', async () => {
    const email_address = 'secure@far.example'
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }))
    await service.caughtUp()
    const { pathname } = new URL(await askForLink(service, tenant, email_address))
    const tls = { 'x-forwarded-proto': 'https' }
    const browser = memberBrowser(service, host)
    const entered = await browser.get(pathname, tls)
    expect(entered.headers['set-cookie']?.[0]).to.match(
      /^__Host-mr_entry=.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/,
    )
    const { text } = await browser.get('/members/in', tls)
    const form_token = /name="form_token" value="([^"]+)"/.exec(text)![1]!
    const answer = await browser.post('/members/in', { form_token }, tls)
    expect(answer.headers['set-cookie']?.[0]).to.match(
      /^__Host-mr_member=.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect((await browser.get('/members', tls)).status).to.equal(200)
    expect((await browser.get('/members')).headers.location).to.equal('/members/sign-in')
  })
})
