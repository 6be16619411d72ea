import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { askForLink, fieldsIn, hostOf, type MemberBrowser, memberBrowser } from '../../support/member.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const ENTER = '/members/in'

describe('the button of a member’s link, pressed twice', () => {
  let service: TestService
  let tenant: Tenant
  let host: string
  let contacts = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    host = await hostOf(tenant)
  })

  const opened = async () => {
    const email_address = `twice${++contacts}@far.example`
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address } }))
    await service.caughtUp()
    const { pathname } = new URL(await askForLink(service, tenant, email_address))
    const browser = memberBrowser(service, host)
    await browser.get(pathname)
    return { browser, pathname, fields: fieldsIn((await browser.get(ENTER)).text, ENTER) }
  }

  const copyOf = (browser: MemberBrowser, without?: string): MemberBrowser => {
    const copy = memberBrowser(service, host)
    for (const [name, value] of browser.cookies) if (name !== without) copy.cookies.set(name, value)
    return copy
  }

  const isIn = async (browser: MemberBrowser) => (await browser.get('/members')).status === 200

  it('lands in one session, both at once', async () => {
    const { browser, fields } = await opened()
    const [first, second] = await Promise.all([browser.post(ENTER, fields), browser.post(ENTER, fields)])
    expect([first.status, second.status]).to.deep.equal([303, 303])
    expect(second.headers['set-cookie']).to.deep.equal(first.headers['set-cookie'])
    expect(await isIn(browser)).to.equal(true)
  })

  it('lands in the session when the first answer was lost, and in no other browser', async () => {
    const { browser, fields } = await opened()
    const [lost, stolen] = [copyOf(browser), copyOf(browser, 'mr_browser')]
    await lost.post(ENTER, fields)
    expect((await browser.post(ENTER, fields)).status).to.equal(303)
    expect(await isIn(browser)).to.equal(true)
    expect((await stolen.post(ENTER, fields)).status).to.equal(404)
    const another = memberBrowser(service, host)
    await another.get('/members/sign-in')
    for (const name of ['mr_entry']) another.cookies.set(name, stolen.cookies.get(name)!)
    expect((await another.post(ENTER, fields)).status).to.equal(404)
    expect([await isIn(stolen), await isIn(another)]).to.deep.equal([false, false])
  })

  it('goes on where the link is opened again, or one goes back, while signed in', async () => {
    const { browser, pathname, fields } = await opened()
    await browser.post(ENTER, fields)
    expect((await browser.get(ENTER)).headers.location).to.equal('/members')
    await browser.get(pathname)
    expect((await browser.get(ENTER)).headers.location).to.equal('/members')
    const other = (await opened()).browser
    const { text } = await other.get(ENTER)
    await other.post(ENTER, fieldsIn(text, ENTER))
    await other.get(pathname)
    expect((await other.get(ENTER)).status).to.equal(404)
  })
})
