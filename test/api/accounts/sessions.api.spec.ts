import { expect } from 'chai'
import { signedIn } from '../../../api/accounts/signed-in.ts'
import { createCore } from '../../../infra/runtime/core.ts'
import { accountBrowser, linkOf, newPerson, PASSWORD, type Person, withPassword } from '../../support/account.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const NEXT = 'the next long password'

describe('sessions of people', () => {
  let service: TestService
  let person: Person

  before(async () => {
    service = await testService()
    person = await newPerson(service)
    await withPassword(service, person)
  })

  const newBrowser = async (host?: string) => {
    const browser = accountBrowser(service, host)
    expect((await browser.signIn(person.address, PASSWORD)).status).to.equal(303)
    return browser
  }

  it('16 9: hold on names and addresses of a network without TLS', async () => {
    const { port } = new URL(service.url)
    for (const host of ['localhost', '192.168.1.20', 'shop.local']) {
      const browser = accountBrowser(service, `${host}:${port}`)
      const origin = `http://${host}:${port}`
      const fields = { address: person.address, password: PASSWORD }
      const { headers } = await browser.post('/sign-in', fields, { origin })
      const [cookie = ''] = headers['set-cookie'] ?? []
      expect(cookie).to.match(/^mr_session=/)
      expect(cookie).to.not.contain('Secure')
      expect(headers.location).to.match(/^\//)
      expect(await browser.isIn()).to.equal(true)
    }
  })

  it('16 9: have cookies for TLS alone where the configured address is https, whatever the connection is', async () => {
    const secure = await startTestService({ MILLRACE_API_URL: 'https://accounts.example.com' })
    const browser = accountBrowser(secure, 'accounts.example.com')
    const { headers } = await browser.enter(await linkOf(secure, await newPerson(secure)))
    const session = headers['set-cookie']?.find((cookie) => cookie.includes('mr_session'))
    expect(session).to.match(/^__Host-mr_session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
    expect(await browser.isIn()).to.equal(true)
    const behind = accountBrowser(secure)
    const { status } = await behind.post('/sign-in', {}, { origin: 'https://accounts.example.com' })
    expect(status, 'a form through a proxy that names another host').to.equal(422)
    const [name = ''] = [...browser.cookies.keys()].filter((one) => one.includes('mr_session'))
    browser.cookies.set('mr_session', browser.cookies.get(name)!)
    browser.cookies.delete(name)
    expect(await browser.isIn(), 'under the name that a page of a subdomain could set').to.equal(false)
  })

  it('16 9: say why nobody is signed in, when the browser drops the cookie', async () => {
    const browser = await newBrowser()
    browser.cookies.clear()
    const { status, text } = await browser.get('/sign-in/done')
    expect(status).to.equal(403)
    expect(text).to.contain('Your browser did not keep the cookie').and.not.contain('type="password"')
    const secure = await startTestService({ MILLRACE_API_URL: 'https://accounts.example.com' })
    const elsewhere = await accountBrowser(secure).get('/sign-in/done')
    expect(elsewhere.text).to.contain('https://accounts.example.com/sign-in')
    const link = await accountBrowser(secure).get('/in')
    expect(link.text).to.contain('did not keep the cookie')
  })

  it('16 10: are found beside cookies of their name that another port has set', async () => {
    const browser = await newBrowser()
    const own = browser.cookies.get('mr_session')!
    for (const other of ['x', '1.y', `${person.userId}.${'z'.repeat(43)}`]) {
      const cookie = `mr_session=${other}; mr_session=${own}`
      const { status } = await accountBrowser(service).get('/account', { cookie })
      expect(status).to.equal(200)
    }
  })

  it('16 10: mean nothing to the pages’ and the SDK’s port, which do not repeat their cookie', async () => {
    const browser = await newBrowser()
    const cookie = `mr_session=${browser.cookies.get('mr_session')}`
    for (const url of [service.publicUrl, service.sdkUrl])
      for (const path of ['/', '/account', '/sign-in', '/members']) {
        const answer = await fetch(url + path, { headers: { cookie }, redirect: 'manual' })
        const all = JSON.stringify([...answer.headers]) + (await answer.text())
        expect(all, url + path).to.not.contain(cookie.slice('mr_session='.length))
        expect(all).to.not.contain('Signed in as')
      }
  })

  it('16 11: are Lax, and take no form of another site or another port of the host', async () => {
    const browser = await newBrowser()
    const { port } = new URL(service.url)
    const refused: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: `http://localhost:${Number(port) + 1}`, host: `localhost:${port}` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of refused) {
      for (const page of ['/sign-in', '/sign-out', '/account/password', '/in', '/sign-in/link'])
        expect((await browser.post(page, {}, headers)).status, page + JSON.stringify(headers)).to.equal(403)
    }
    expect((await browser.post('/sign-out', {}, { origin: service.url })).status).to.equal(403)
    expect(await browser.isIn()).to.equal(true)
    const { headers } = await accountBrowser(service).signIn(person.address, PASSWORD)
    for (const cookie of headers['set-cookie'] ?? []) expect(cookie).to.contain('HttpOnly; SameSite=Lax')
  })

  it('16 12: have another id after signing in again, and the earlier one is dead', async () => {
    const browser = await newBrowser()
    const first = browser.cookies.get('mr_session')!
    await browser.signIn(person.address, PASSWORD)
    expect(browser.cookies.get('mr_session')).to.not.equal(first)
    expect(await browser.isIn()).to.equal(true)
    browser.cookies.set('mr_session', first)
    expect(await browser.isIn()).to.equal(false)
  })

  it('16 12: never take an id that was not issued, or that comes in an address', async () => {
    const chosen = `${person.userId}.${'a'.repeat(43)}`
    const browser = accountBrowser(service)
    browser.cookies.set('mr_session', chosen)
    expect(await browser.isIn()).to.equal(false)
    await browser.signIn(person.address, PASSWORD)
    const issued = browser.cookies.get('mr_session')!
    expect(issued).to.not.equal(chosen)
    const other = accountBrowser(service)
    expect((await other.get(`/account?mr_session=${issued}`)).status).to.equal(303)
    expect((await other.get(`/account;mr_session=${issued}`)).status).to.equal(404)
  })

  it('16 13: end with a change of the password, but for the browser that made it, which has another id', async () => {
    const changing = await newPerson(service)
    const browser = await withPassword(service, changing)
    const elsewhere = accountBrowser(service)
    await elsewhere.signIn(changing.address, PASSWORD)
    const link = await linkOf(service, changing)
    const before = browser.cookies.get('mr_session')!
    const page = await browser.get('/account/password')
    expect(page.text).to.contain('signs you out in all other browsers').and.contain('applications stay connected')
    const change = (present: string) =>
      browser.submit('/account/password', '/account/password', { present, password: NEXT })
    expect((await change('wrong password')).text).to.contain('The present password is not right.')
    expect((await change(PASSWORD)).status).to.equal(303)
    expect(browser.cookies.get('mr_session')).to.not.equal(before)
    expect(await browser.isIn()).to.equal(true)
    expect(await elsewhere.isIn()).to.equal(false)
    browser.cookies.set('mr_session', before)
    expect(await browser.isIn()).to.equal(false)
    await elsewhere.get(new URL(link).pathname)
    expect((await elsewhere.get('/in')).status).to.equal(410)
    expect((await accountBrowser(service).signIn(changing.address, NEXT)).status).to.equal(303)
  })

  it('16 13: end at once in every process: none goes by what it read before', async () => {
    const leaving = await newPerson(service)
    const browser = await withPassword(service, leaving)
    const { stores } = service.background
    const other = await createCore({ ...stores, shared: true })
    const asked = { headers: { cookie: `mr_session=${browser.cookies.get('mr_session')}` } }
    const who = () => signedIn(asked, { ...other, secrets: stores.secrets, accountsUrl: service.url })
    expect(await who()).to.include({ userId: leaving.userId, generation: 1, isSecondFactorDone: false })
    await browser.enter(await linkOf(service, leaving, 'reset'), { password: NEXT })
    expect(await who()).to.equal(undefined)
    const again = { headers: { cookie: `mr_session=${browser.cookies.get('mr_session')}` } }
    expect(await signedIn(again, { ...other, secrets: stores.secrets, accountsUrl: service.url })).to.include({
      generation: 2,
    })
  })

  it('end with signing out, on the server too', async () => {
    const browser = await newBrowser()
    const kept = browser.cookies.get('mr_session')!
    const { headers } = await browser.submit('/account', '/sign-out')
    expect(headers.location).to.equal('/signed-out')
    browser.cookies.set('mr_session', kept)
    expect(await browser.isIn()).to.equal(false)
    expect((await browser.get('/account')).headers.location).to.equal('/sign-in')
    expect((await browser.get('/account/password?a=1')).headers.location).to.equal(
      '/sign-in?to=%2Faccount%2Fpassword%3Fa%3D1',
    )
  })

  it('leave nothing in caches, and let no page frame theirs', async () => {
    const browser = await newBrowser()
    for (const path of ['/sign-in/link', '/account', '/account/password', '/nothing', '/account/nothing']) {
      const { headers } = await browser.get(path)
      expect(headers['cache-control'], path).to.equal('private, no-store')
      if (path === '/nothing') continue
      expect(headers['content-security-policy']).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'")
      expect(headers['access-control-allow-origin']).to.equal(undefined)
    }
  })
})
