import { expect } from 'chai'
import { routesOf } from '../../../api/accounts/app.ts'
import { formTokenOf } from '../../../api/accounts/signed-in.ts'
import { type AccountBrowser, accountBrowser, linkOf, newPerson, PASSWORD, type Person } from '../../support/account.ts'
import { until } from '../../support/eventually.ts'
import { addPasskey, turnOnCodes } from '../../support/second-factor.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'
import { signedInAgo } from '../../support/stale-session.ts'

/** What a session of any age may do: it opens no way in, and shuts nobody out for good. */
const BY_SESSION = [
  '^/sign-out$',
  '^/account/security/passkeys/rename$',
  '^/account/security/sessions/end$',
  '^/account/security/sessions/end-others$',
  '^/account/security/applications/disconnect$',
  '/invitations/([1-9]\\d{0,15})/withdraw$',
  '/keys/([1-9]\\d{0,15})/revoke$',
  // Decides about one call of an agent that was let in before.
  '/account/agents/confirm/([A-Z0-9]{12})$',
]

const taking = routesOf(0).filter(({ audience, take }) => audience === 'users' && take !== undefined)
const sourceOf = ({ path }: { readonly path: RegExp }): string => path.source.replaceAll('\\/', '/')

describe('what a session alone may not change', () => {
  let service: TestService
  let person: Person
  let browser: AccountBrowser
  let form_token: string
  let teamId: number

  before(async () => {
    service = await testService()
    person = await newPerson(service)
    const [member] = await service.background.stores.readModels.live.find('membership', {
      where: { user_id: person.userId },
    })
    teamId = Number(member!.team_id)
    browser = accountBrowser(service)
    const cookie = await signedInAgo(service, person.userId, 11)
    browser.cookies.set('mr_session', cookie)
    form_token = formTokenOf(service.background.stores, cookie.slice(cookie.indexOf('.') + 1))
  })

  /** A path that a route matches. */
  const pathOf = (path: RegExp): string =>
    sourceOf({ path })
      .replaceAll(/[\^$]/g, '')
      .replace('/teams/([1-9]\\d{0,15})', `/teams/${teamId}`)
      .replaceAll('([1-9]\\d{0,15})', '1')
      .replaceAll('([A-Z0-9]{12})', 'ABCDEFGH1234')

  it('is all that users can do, but for what is named here', () => {
    const lax = taking.filter(({ proof }) => proof === 'session').map(sourceOf)
    for (const one of lax)
      expect(
        BY_SESSION.some((end) => one.endsWith(end.replace(/^\^/, ''))),
        one,
      ).to.equal(true)
    expect(lax).to.have.length(BY_SESSION.length)
    expect(taking.filter(({ proof }) => proof === 'own').map(sourceOf)).to.deep.equal(['^/account/password$'])
    expect(taking.filter(({ proof }) => proof === 'fresh').length).to.be.greaterThan(8)
  })

  for (const { path, proof } of taking)
    if (proof !== 'session')
      it(`takes a sign-in of late: ${path.source.replaceAll('\\', '')}`, async () => {
        const { log } = service.background.stores
        const before = await log.lastPosition()
        const { status, headers } = await browser.post(pathOf(path), {
          form_token,
          password: 'x'.repeat(12),
          email: 'a@b.example',
        })
        expect(status).to.equal(303)
        expect(headers.location).to.match(/^\/sign-in\/again\?to=%2Faccount/)
        expect(await log.lastPosition()).to.equal(before)
      })

  it('asks those again who are signed in, and leads on afterwards', async () => {
    const asked = await browser.get('/account/security/codes')
    expect(asked.headers.location).to.equal('/sign-in/again?to=%2Faccount%2Fsecurity%2Fcodes')
    const { text } = await browser.get(String(asked.headers.location))
    expect(text).to.contain('Please sign in again first').and.contain(`value="${person.address}"`)
    const fresh = accountBrowser(service)
    const other = await newPerson(service)
    fresh.cookies.set('mr_session', await signedInAgo(service, other.userId, 9))
    expect((await fresh.get('/account/security/codes')).status).to.equal(200)
    expect((await fresh.get('/sign-in/again?to=/account/security')).headers.location).to.equal('/account/security')
  })

  it('keeps what takes access away open to any session', async () => {
    const { status } = await browser.post('/account/security/sessions/end-others', { form_token })
    expect(status).to.equal(303)
    expect((await browser.post('/sign-out', { form_token })).headers.location).to.equal('/signed-out')
  })
})

describe('an owner whose account is changed', () => {
  let sink: Awaited<ReturnType<typeof startSink>>
  let service: TestService
  let person: Person
  let browser: AccountBrowser

  before(async () => {
    sink = await startSink()
    service = await startTestService({ SMTP_URL: sink.url })
    person = await newPerson(service)
    browser = accountBrowser(service, `localhost:${new URL(service.url).port}`)
    browser.cookies.set('mr_session', await signedInAgo(service, person.userId, 1))
  })
  after(() => sink.stop())

  /** Waits for the mail that tells of a change. */
  const told = (what: string): Promise<void> => {
    const isThere = ({ source, to }: (typeof sink.arrived)[number]) =>
      to.join().includes(person.address) &&
      source
        .toString()
        .replaceAll(/=\r?\n/g, '')
        .includes(what)
    return until(() => sink.arrived.some(isThere), `a mail that says: ${what}`)
  }

  it('is told by mail of password, codes, recovery codes, passkeys and keys', async () => {
    await browser.submit('/account/password', '/account/password', { password: PASSWORD })
    await told('Your password was set')
    const { next, recovery } = await turnOnCodes(browser)
    await told('Codes from an app were turned on')
    const renew = '/account/security/codes/recovery'
    await browser.submit(renew, renew, { code: next })
    await told('New recovery codes were made')
    expect(recovery).to.have.length(10)
    expect((await addPasskey(browser)).answer.status).to.equal(303)
    await told('A passkey was added')
    const { text } = await browser.get('/account')
    const [keys = ''] = /\/account\/teams\/\d+/.exec(text) ?? []
    const made = await browser.submit(`${keys}/keys`, `${keys}/keys`, {
      label: 'One',
      scopes: 'read',
      workspace: 'all',
    })
    expect(made.status).to.equal(200)
    await told('An API key was made in your name')
  })

  it('is told when a link sets the password, and not when somebody comes for the first time', async () => {
    const other = await newPerson(service)
    const before = sink.arrived.length
    const entering = accountBrowser(service)
    await entering.enter(await linkOf(service, other, 'reset'), { password: PASSWORD })
    await entering.enter(await linkOf(service, other, 'reset'), { password: `${PASSWORD}!` })
    await until(() => sink.arrived.length > before, 'a mail about the second password')
    const mails = sink.arrived.filter(({ to }) => to.join().includes(other.address))
    expect(mails).to.have.length(1)
  })
})
