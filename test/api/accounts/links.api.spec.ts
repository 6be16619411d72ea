import { expect } from 'chai'
import { accountBrowser, linkOf, newPerson, PASSWORD, withPassword } from '../../support/account.ts'
import { until } from '../../support/eventually.ts'
import { fieldsIn } from '../../support/member.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const LINK = /https?:\/\/\S+\/in\/[\w-]+/

describe('links by which people sign in', () => {
  let service: TestService
  let mailing: TestService
  let sink: Awaited<ReturnType<typeof startSink>>

  before(async () => {
    service = await testService()
    sink = await startSink()
    mailing = await startTestService({ SMTP_URL: sink.url, MILLRACE_API_URL: 'https://accounts.example.com' })
  })
  after(() => sink.stop())

  /** Asks for a link by mail, and returns it when it has come. */
  const mailedTo = async (address: string, { page = '/sign-in/link', headers = {}, fields = {} } = {}) => {
    const before = sink.arrived.length
    const answer = await accountBrowser(mailing).post(page, { address, ...fields }, headers)
    const textOf = ({ source }: (typeof sink.arrived)[number]) =>
      source.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
    // Mails that tell of changes have none.
    const withLink = () => sink.arrived.slice(before).find((one) => LINK.test(textOf(one)))
    await until(() => withLink() !== undefined, `a link for ${address}`)
    const mail = withLink()!
    const text = textOf(mail)
    return { answer, to: mail.to[0], text, link: LINK.exec(text)?.[0] ?? '' }
  }

  it('16 1: fetching a link, however often, uses nothing up; its button signs in, once', async () => {
    const person = await newPerson(service)
    const link = await linkOf(service, person)
    const path = new URL(link).pathname
    for (const browser of [accountBrowser(service), accountBrowser(service)])
      for (let times = 0; times < 3; times++) {
        expect((await browser.head(path)).status).to.equal(303)
        await browser.get(path)
        const { status, text } = await browser.get('/in')
        expect(status).to.equal(200)
        expect(text).to.not.contain('<script')
        expect(await browser.isIn()).to.equal(false)
      }
    const browser = accountBrowser(service)
    const { status } = await browser.enter(link)
    expect(status).to.equal(303)
    expect(await browser.isIn()).to.equal(true)
    const late = accountBrowser(service)
    await late.get(path)
    const page = await late.get('/in')
    expect(page.status).to.equal(410)
    expect(page.text).to.contain('used already').and.contain('href="/sign-in/link"')
    expect(await late.isIn()).to.equal(false)
  })

  it('16 1: of two buttons that are pressed at once, one signs in', async () => {
    const link = await linkOf(service, await newPerson(service))
    const browsers = [accountBrowser(service), accountBrowser(service)]
    const forms = await Promise.all(
      browsers.map(async (one) => {
        await one.get(new URL(link).pathname)
        return fieldsIn((await one.get('/in')).text, '/in')
      }),
    )
    const answers = await Promise.all(browsers.map((one, index) => one.post('/in', forms[index]!)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 410])
  })

  it('16 2: a link may be opened in another browser; it names its account, and asks before it replaces another', async () => {
    const [one, other] = [await newPerson(service), await newPerson(service)]
    const browser = accountBrowser(service)
    await browser.enter(await linkOf(service, one))
    await browser.get(new URL(await linkOf(service, other)).pathname)
    const { text } = await browser.get('/in')
    expect(text).to.contain(`signs you in as ${other.address}`).and.contain(`You are signed in as ${one.address}`)
    const before = new Map(browser.cookies)
    await browser.submit('/in', '/in')
    expect((await browser.get('/account')).text).to.contain(`Signed in as ${other.address}`)
    for (const [name, value] of before) browser.cookies.set(name, value)
    expect(await browser.isIn(), 'the session before').to.equal(false)
  })

  it('16 2: a link signs nobody in without the token of its page', async () => {
    const link = await linkOf(service, await newPerson(service))
    const browser = accountBrowser(service)
    await browser.get(new URL(link).pathname)
    for (const fields of [{}, { form_token: 'a'.repeat(43) }] as Record<string, string>[])
      expect((await browser.post('/in', fields)).status).to.equal(403)
    const fields = fieldsIn((await browser.get('/in')).text, '/in')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
      string,
      string
    >[])
      expect((await browser.post('/in', fields, headers)).status).to.equal(403)
    expect(await browser.isIn()).to.equal(false)
  })

  it('16 3: links are built from the configured address, whatever host a request names', async () => {
    const { address } = await newPerson(mailing)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const { link, text } = await mailedTo(address, { headers })
    expect(new URL(link).origin).to.equal('https://accounts.example.com')
    expect(text).to.not.contain('evil.example')
  })

  it('16 25: a mail goes to the address as it is stored, however it was typed', async () => {
    const { address } = await newPerson(mailing, 'Owner.Of.Links@Example.COM')
    const { to } = await mailedTo(' owner.of.links@example.com ')
    expect(to).to.equal(address)
  })

  it('signs in by the link of a mail, and goes on to where one wanted to go', async () => {
    const { address } = await newPerson(mailing)
    const { link, answer } = await mailedTo(address, { fields: { to: '/oauth/authorize?client_id=a%20b&x=1' } })
    expect([answer.status, answer.headers.location]).to.deep.equal([303, '/sign-in/sent'])
    const browser = accountBrowser(mailing)
    const { headers } = await browser.enter(link)
    const done = await browser.get(String(headers.location))
    expect(done.headers.location).to.equal('/oauth/authorize?client_id=a%20b&x=1')
  })

  it('answers the same, whether there is an account or not', async () => {
    const { address } = await newPerson(mailing)
    const { answer } = await mailedTo(address)
    const unknown = await accountBrowser(mailing).post('/sign-in/link', { address: 'nobody@example.com' })
    const { status, headers, text } = unknown
    expect([status, headers.location, text]).to.deep.equal([answer.status, answer.headers.location, answer.text])
  })

  it('16 13: a reset by link ends all sessions, and signs in with the new password alone', async () => {
    const person = await newPerson(mailing)
    const elsewhere = await withPassword(mailing, person)
    const { link } = await mailedTo(person.address, { page: '/sign-in/reset' })
    const browser = accountBrowser(mailing)
    await browser.get(new URL(link).pathname)
    const { text } = await browser.get('/in')
    expect(text).to.contain('signs you out in all browsers').and.contain('agents')
    expect((await browser.submit('/in', '/in', { password: 'short' })).status).to.equal(422)
    expect((await browser.submit('/in', '/in', { password: 'another long password' })).status).to.equal(303)
    expect(await browser.isIn()).to.equal(true)
    expect(await elsewhere.isIn()).to.equal(false)
    expect((await accountBrowser(mailing).signIn(person.address, PASSWORD)).status).to.equal(422)
    expect((await accountBrowser(mailing).signIn(person.address, 'another long password')).status).to.equal(303)
  })

  it('says how else one gets in where no mail is sent', async () => {
    const browser = accountBrowser(service)
    for (const page of ['/sign-in/link', '/sign-in/reset']) {
      expect((await browser.get(page)).text).to.contain('This installation sends no mail')
      expect((await browser.post(page, { address: 'a@example.com' })).text).to.contain('sends no mail')
    }
  })

  it('16 14: after signing in, the browser goes to a path of this host alone', async () => {
    const person = await newPerson(service)
    await withPassword(service, person)
    const query = '?response_type=code&client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb&scope=read+write&q=%27'
    const to: Record<string, string> = {
      [`/oauth/authorize${query}`]: `/oauth/authorize${query}`,
      '//evil.example': '/account',
      '/\\evil.example': '/account',
      '/%5Cevil.example': '/account',
      '/%2Fevil.example': '/account',
      '/\t/evil.example': '/account',
      '/.//evil.example': '/account',
      'https:evil.example': '/account',
      'https://evil.example': '/account',
      'javascript:alert(1)': '/account',
      [`/${'a'.repeat(5000)}`]: '/account',
    }
    for (const [wish, place] of Object.entries(to)) {
      const browser = accountBrowser(service)
      const { headers } = await browser.signIn(person.address, PASSWORD, { to: wish })
      expect((await browser.get(String(headers.location))).headers.location, wish).to.equal(place)
      const again = await browser.get(`/sign-in?${new URLSearchParams({ to: wish })}`)
      expect(again.headers.location, wish).to.equal(place)
    }
  })

  it('16 15: the first owner’s link works until somebody has signed in, the newest alone', async () => {
    const own = await startTestService()
    const { accounts, userLinks } = own.background
    expect(await userLinks.first()).to.equal(undefined)
    await accounts.foundTeam({ name: 'First', owner: { email: 'first@example.com', firstName: 'F', lastName: 'O' } })
    const [former, link] = [await userLinks.first(), await userLinks.first()]
    const browser = accountBrowser(own)
    await browser.get(former!)
    expect((await browser.get('/in')).status).to.equal(410)
    expect((await browser.enter(own.url + link!)).status).to.equal(303)
    expect((await browser.get('/account')).text)
      .to.contain('first@example.com')
      .and.contain('First')
    await own.caughtUp()
    expect(await userLinks.first()).to.equal(undefined)
  })

  it('16 47: neither the token of a link nor the secret of a session is in the log', async () => {
    const person = await newPerson(service)
    const link = await linkOf(service, person)
    const browser = accountBrowser(service)
    await browser.enter(link)
    const secrets = [...browser.cookies.values()].flatMap((value) =>
      value.split('.').filter((part) => part.length > 20),
    )
    expect(secrets.length).to.be.greaterThan(1)
    const stored: string[] = []
    for await (const { data, metadata } of service.background.stores.log.readAll({ after: -1 }))
      stored.push(JSON.stringify([data, metadata]))
    for (const secret of [...secrets, new URL(link).pathname.split('/').at(-1)!])
      expect(stored.join('\n')).to.not.contain(secret)
  })
})
