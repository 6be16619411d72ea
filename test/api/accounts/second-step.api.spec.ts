import { expect } from 'chai'
import { accountBrowser, linkOf, newPerson, PASSWORD, type Person, withPassword } from '../../support/account.ts'
import { fieldsIn } from '../../support/member.ts'
import { appOf, type Codes, codeAfter, turnOnCodes } from '../../support/second-factor.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'

const STEP = '/sign-in/code'
const RECOVERY = '/sign-in/recovery-code'
const TURN_ON = '/account/security/codes'

describe('the second step of signing in', () => {
  let service: TestService

  before(async () => {
    service = await testService()
  })

  const withCodes = async () => {
    const person = await newPerson(service)
    const browser = await withPassword(service, person)
    return { person, browser, codes: await turnOnCodes(browser) }
  }

  /** Shows the password in a new browser, and then a code. */
  const signIn = async ({ address }: Person, code: string, path = STEP) => {
    const browser = accountBrowser(service)
    const first = await browser.signIn(address, PASSWORD)
    expect(first.status).to.equal(303)
    expect(first.headers.location).to.equal(STEP)
    expect(await browser.isIn()).to.equal(false)
    const answer = await browser.submit(path, path, { code })
    return { browser, answer }
  }

  it('16 16 17: a code of the next step signs in, once, and the one that turned codes on does not', async () => {
    const { person, codes } = await withCodes()
    const early = await signIn(person, codes.first)
    expect(early.answer.status).to.equal(422)
    expect(early.answer.text).to.contain('This code was used already')
    const { browser, answer } = await signIn(person, codes.next)
    expect(answer.status).to.equal(303)
    expect(await browser.isIn()).to.equal(true)
    expect(browser.cookies.has('mr_second_step')).to.equal(false)
    const again = await signIn(person, codes.next)
    expect(again.answer.status).to.equal(422)
    expect(again.answer.text).to.contain('This code was used already')
    expect(await again.browser.isIn()).to.equal(false)
  })

  it('16 16: of sixteen sign-ins at once with the same code one is let in', async () => {
    const { person, codes } = await withCodes()
    const browsers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = accountBrowser(service)
        await browser.signIn(person.address, PASSWORD)
        return { browser, fields: fieldsIn((await browser.get(STEP)).text, STEP) }
      }),
    )
    const answers = await Promise.all(
      browsers.flatMap(({ browser, fields }) =>
        [1, 2].map(() => browser.post(STEP, { ...fields, code: codes.next }).then(({ status }) => status)),
      ),
    )
    // The browser that is let in gets the same answer twice, and the same session.
    expect(answers.filter((status) => status === 303)).to.have.length(2)
    expect(answers.filter((status) => status === 422)).to.have.length(14)
    const sessions = browsers.map(({ browser }) => browser.cookies.get('mr_session')).filter(Boolean)
    expect(sessions).to.have.length(1)
  })

  it('16 17: spaces do not count; full-width digits, too few and wrong ones are refused', async () => {
    const { person, codes } = await withCodes()
    const browser = accountBrowser(service)
    await browser.signIn(person.address, PASSWORD)
    const wide = [...codes.next].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join('')
    const wrong = codes.next.replace(/./, (digit) => String((Number(digit) + 5) % 10))
    for (const code of [wide, codes.next.slice(1), `${codes.next}0`, wrong, '', 'abcdef', '\u0000'.repeat(6)]) {
      const { status, text } = await browser.submit(STEP, STEP, { code })
      expect(status, code).to.equal(422)
      expect(text, code).to.contain('This code is not right').and.contain('aria-invalid="true"')
    }
    const spaced = `${codes.next.slice(0, 3)} ${codes.next.slice(3)} `
    expect((await browser.submit(STEP, STEP, { code: spaced })).status).to.equal(303)
  })

  it('16 18: neither a link nor a reset gives a session without the code', async () => {
    const { person, codes } = await withCodes()
    const byLink = accountBrowser(service)
    const entered = await byLink.enter(await linkOf(service, person))
    expect(entered.headers.location).to.equal(STEP)
    expect(await byLink.isIn()).to.equal(false)
    // Its link is used up by the code alone.
    expect((await byLink.submit(STEP, STEP, { code: codes.next })).status).to.equal(303)
    expect(await byLink.isIn()).to.equal(true)

    const byReset = accountBrowser(service)
    const reset = await byReset.enter(await linkOf(service, person, 'reset'), { password: 'quite another password' })
    expect(reset.headers.location).to.equal(STEP)
    expect(await byReset.isIn()).to.equal(false)
    const [code = ''] = codes.recovery
    expect((await byReset.submit(RECOVERY, RECOVERY, { code })).status).to.equal(303)
    expect(await byReset.isIn()).to.equal(true)
    expect(await byLink.isIn()).to.equal(false)
  })

  it('16 18: what was shown first ends with everything else, and is no session', async () => {
    const { person, codes } = await withCodes()
    const browser = accountBrowser(service)
    await browser.signIn(person.address, PASSWORD)
    const page = await browser.get(STEP)
    const names = (page.headers['set-cookie'] ?? []).map((one) => one.split('=')[0])
    expect(names).to.deep.equal(['mr_browser'])
    const other = accountBrowser(service)
    await other.enter(await linkOf(service, person, 'reset'), { password: 'quite another password' })
    const late = await browser.post(STEP, { ...fieldsIn(page.text, STEP), code: codes.next })
    expect(late.headers.location).to.equal('/sign-in')
    expect(await browser.isIn()).to.equal(false)
    const stranger = accountBrowser(service)
    expect((await stranger.get(STEP)).headers.location).to.equal('/sign-in')
    for (const proof of ['x', '..', `${browser.cookies.get('mr_second_step')}x`, 'e30.AAAAAAAAAAAAAAAAAAAAAA']) {
      stranger.cookies.set('mr_second_step', proof)
      expect((await stranger.get(STEP)).headers.location, proof).to.equal('/sign-in')
    }
  })

  it('16 14: the path that was asked for survives the second step', async () => {
    const { person, codes } = await withCodes()
    const to = '/oauth/authorize?client_id=a%20b&scope=read+write&state=%2F%2Fx'
    const browser = accountBrowser(service)
    const first = await browser.signIn(person.address, PASSWORD, { to })
    const step = String(first.headers.location)
    expect(step).to.equal(`${STEP}?${new URLSearchParams({ to })}`)
    const { headers } = await browser.post(STEP, {
      ...fieldsIn((await browser.get(step)).text, STEP),
      code: codes.next,
    })
    expect((await browser.get(String(headers.location))).headers.location).to.equal(to)
  })

  it('16 19: ten recovery codes sign in once each, and are stored as digests', async () => {
    const { person, codes } = await withCodes()
    expect(codes.recovery).to.have.length(10)
    const [one = '', two = ''] = codes.recovery
    expect((await signIn(person, ` ${one.toUpperCase()} `, RECOVERY)).answer.status).to.equal(303)
    const again = await signIn(person, one, RECOVERY)
    expect(again.answer.status).to.equal(422)
    expect(again.answer.text).to.contain('This recovery code is not right, or was used already')
    const { browser } = await signIn(person, two, RECOVERY)
    expect((await browser.get('/account/security')).text).to.contain('Recovery codes left: 8.')
    let stored = ''
    for await (const event of service.background.stores.log.readAll({ after: -1 })) stored += JSON.stringify(event)
    expect(stored).to.contain('RecoveryCodeUsed')
    for (const code of codes.recovery) expect(stored).not.to.contain(code)
  })

  it('16 19: loading the page again changes no key, and an app that works is not replaced', async () => {
    const person = await newPerson(service)
    const browser = await withPassword(service, person)
    const pages = [await browser.get(TURN_ON), await browser.get(TURN_ON)]
    const [one, two] = pages.map(({ text }) => appOf(text).secret.base32)
    expect(one).to.equal(two)
    expect((await browser.submit(TURN_ON, TURN_ON, { code: '000000' })).text).to.contain('This code is not right')
    expect(await accountBrowser(service).signIn(person.address, PASSWORD)).to.have.nested.property(
      'headers.location',
      '/sign-in/done',
    )
    const codes = await turnOnCodes(browser)
    expect(codes.app.secret.base32).to.equal(one)
    const later = await browser.get(TURN_ON)
    expect(later.status).to.equal(409)
    expect(later.text).to.contain('Codes are turned on already').and.not.contain(one)
    const stale = await browser.post(TURN_ON, {
      ...fieldsIn((await browser.get('/account/security')).text, '/sign-out'),
      code: codeAfter(codes.app, Date.now(), 1),
    })
    expect(stale.status).to.equal(409)
    expect((await signIn(person, codes.next)).answer.status).to.equal(303)
  })

  it('16 12: turning codes on gives the browser another session, and signs out the others', async () => {
    const person = await newPerson(service)
    const browser = await withPassword(service, person)
    const other = accountBrowser(service)
    await other.signIn(person.address, PASSWORD)
    expect(await other.isIn()).to.equal(true)
    const before = browser.cookies.get('mr_session')!
    await turnOnCodes(browser)
    expect(browser.cookies.get('mr_session')).not.to.equal(before)
    expect([await browser.isIn(), await other.isIn()]).to.deep.equal([true, false])
    const thief = accountBrowser(service)
    thief.cookies.set('mr_session', before)
    expect(await thief.isIn()).to.equal(false)
  })

  it('16 19: new recovery codes and turning codes off take a code', async () => {
    const { person, browser, codes } = await withCodes()
    const renew = `${TURN_ON}/recovery`
    const off = `${TURN_ON}/off`
    expect((await browser.submit(renew, renew, { code: codes.first })).status).to.equal(422)
    const renewed = await browser.submit(renew, renew, { code: codes.next })
    expect(renewed.status).to.equal(200)
    const [fresh = ''] = [...renewed.text.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code = '']) => code)
    const [former = ''] = codes.recovery
    for (const code of ['', former, codes.next])
      expect((await browser.submit(off, off, { code })).status, code).to.equal(422)
    expect((await browser.submit(off, off, { code: fresh })).status).to.equal(303)
    const { headers } = await accountBrowser(service).signIn(person.address, PASSWORD)
    expect(headers.location).to.equal('/sign-in/done')
    const anew = await turnOnCodes(browser)
    expect(anew.app.secret.base32).not.to.equal(codes.app.secret.base32)
  })
})

describe('the slowing of wrong codes', () => {
  it('16 17: wrong codes are slowed down, and a right password does not take them back', async () => {
    const service = await startTestService({ MILLRACE_FAILED_ATTEMPTS: '1000' })
    const person = await newPerson(service)
    const codes: Codes = await turnOnCodes(await withPassword(service, person))
    const statuses: number[] = []
    let last = accountBrowser(service)
    for (let times = 0; times < 12; times++) {
      last = accountBrowser(service)
      expect((await last.signIn(person.address, PASSWORD)).status).to.equal(303)
      statuses.push((await last.submit(STEP, STEP, { code: 'abcdef' })).status)
    }
    expect(statuses.slice(0, 10)).to.deep.equal(Array(10).fill(422))
    expect(statuses.slice(10)).to.deep.equal([429, 429])
    const late = await last.submit(STEP, STEP, { code: codes.next })
    expect(late.status).to.equal(429)
    expect(Number(late.headers['retry-after'])).to.be.within(1, 900)
    // Passwords have a count of their own, and links lead on as before.
    expect((await accountBrowser(service).signIn(person.address, PASSWORD)).status).to.equal(303)
  })
})
