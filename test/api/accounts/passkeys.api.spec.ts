import { expect } from 'chai'
import { credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { accountBrowser, newPerson, PASSWORD, withPassword } from '../../support/account.ts'
import { Authenticator } from '../../support/authenticator.ts'
import { addPasskey, optionsIn, signInBy, turnOnCodes } from '../../support/second-factor.ts'
import { startTestService, type TestService, testService } from '../../support/service.ts'
import { executeCommand, idOrThrow } from '../../support/traffic/discounts.ts'

const SECURITY = '/account/security'
const ADD = `${SECURITY}/passkeys`
const REMOVE = `${ADD}/remove`

describe('signing in with a passkey', () => {
  let service: TestService
  let host: string

  before(async () => {
    service = await testService()
    host = `localhost:${new URL(service.url).port}`
  })

  const newBrowser = () => accountBrowser(service, host)

  const withPasskey = async (said = {}) => {
    const person = await newPerson(service)
    await withPassword(service, person)
    const browser = newBrowser()
    await browser.signIn(person.address, PASSWORD)
    const { key, answer } = await addPasskey(browser, said)
    expect(answer.status, answer.text).to.equal(303)
    return { person, browser, key }
  }

  it('16 18: a passkey signs in without password and code', async () => {
    const { browser, key } = await withPasskey()
    await turnOnCodes(browser)
    const other = newBrowser()
    const { answer } = await signInBy(other, key)
    expect(answer.status).to.equal(303)
    expect(answer.headers.location).to.equal('/sign-in/done')
    expect(await other.isIn()).to.equal(true)
    expect((await other.get(SECURITY)).text)
      .to.contain('with a second factor')
      .and.contain('last used')
  })

  it('an answer signs in once, and only where its challenge was given out for it', async () => {
    const { browser, key } = await withPasskey()
    const { sent } = await signInBy(newBrowser(), key)
    const repeated = await newBrowser().post('/sign-in/passkey', { answer: sent })
    expect(repeated.status).to.equal(422)
    expect(repeated.text).to.contain('This passkey is not known here')
    const { challenge } = optionsIn((await browser.get(SECURITY)).text)
    const origin = `http://${host}`
    for (const given of [challenge, Buffer.from('made up').toString('base64url'), '']) {
      const answer = JSON.stringify(key.get({ challenge: given, rpId: 'localhost' }, origin))
      expect((await newBrowser().post('/sign-in/passkey', { answer })).status, given).to.equal(422)
    }
    const stranger = new Authenticator()
    stranger.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'MS54' } }, origin)
    expect((await signInBy(newBrowser(), stranger)).answer.status).to.equal(422)
    for (const answer of ['', '{}', '[]', 'null', '{"response":{}}', '{"response":{"userHandle":5}}', 'x'.repeat(9000)])
      expect((await newBrowser().post('/sign-in/passkey', { answer })).status, answer).to.equal(422)
  })

  it('16 20: a counter that stays 0 or goes back signs in, and is shown to its owner', async () => {
    const still = await withPasskey()
    for (const _ of [1, 2]) expect((await signInBy(newBrowser(), still.key)).answer.status).to.equal(303)
    expect((await still.browser.get(SECURITY)).text).not.to.contain('Its counter went back')

    const { browser, key } = await withPasskey({ counter: 7 })
    expect((await signInBy(newBrowser(), key, { counter: 8 })).answer.status).to.equal(303)
    expect((await browser.get(SECURITY)).text).not.to.contain('Its counter went back')
    expect((await signInBy(newBrowser(), key, { counter: 3 })).answer.status).to.equal(303)
    expect((await browser.get(SECURITY)).text).to.contain('Its counter went back on')
    expect((await signInBy(newBrowser(), key, { counter: 0, isSynced: true })).answer.status).to.equal(303)
    expect((await browser.get(SECURITY)).text).to.contain('on several devices')
  })

  it('16 21: an answer without verification is refused with a sentence that helps', async () => {
    const says = 'Set a PIN on this key'
    const person = await newPerson(service)
    await withPassword(service, person)
    const browser = newBrowser()
    await browser.signIn(person.address, PASSWORD)
    const { answer } = await addPasskey(browser, { isVerified: false })
    expect(answer.status).to.equal(422)
    expect(answer.text).to.contain(says).and.contain('You have no passkey')
    const { key } = await withPasskey()
    const other = newBrowser()
    const unverified = await signInBy(other, key, { isVerified: false })
    expect(unverified.answer.status).to.equal(422)
    expect(unverified.answer.text).to.contain(says)
    expect(await other.isIn()).to.equal(false)
  })

  it('16 22: options name the host of the configured address, whatever the request says', async () => {
    const { text } = await newBrowser().get('/sign-in')
    expect(optionsIn(text).rpId).to.equal('localhost')
    const forged = accountBrowser(service, 'evil.example')
    const page = await forged.get('/sign-in')
    expect(optionsIn(page.text).rpId).to.equal('localhost')
    // The page of another host cannot load the script.
    expect(page.headers['content-security-policy']).to.contain(`script-src http://${host}/account/passkeys.js;`)
    const { key } = await withPasskey()
    const { answer } = await signInBy(forged, key)
    expect(answer.status).to.equal(422)
    expect(await forged.isIn()).to.equal(false)
  })

  it('the list says for which address a passkey is, and where it signs nobody in any more', async () => {
    const { browser, person } = await withPasskey()
    const { text } = await browser.get(SECURITY)
    expect(text).to.contain('for localhost').and.not.to.contain('signs in at')
    expect(optionsIn(text)).to.have.nested.property('user.name', person.address)
    expect(optionsIn(text)).to.have.nested.property('user.displayName', person.address)
    const act = executeCommand(service, await service.tenant())
    const old = { public_key: 'k', transports: [], counter: 0, is_synced: false }
    for (const passkey of [
      { ...old, id: 'moved', name: 'Moved', host: 'old.shop.example' },
      { ...old, id: 'former', name: 'Former' },
    ])
      idOrThrow(await act(ask(credentials, person.userId, 'addPasskey', { passkey })))
    const after = (await browser.get(SECURITY)).text
    expect(after.match(/for (?:localhost|old\.shop\.example)/g)).to.deep.equal([
      'for localhost',
      'for old.shop.example',
    ])
    expect(after.match(/It signs in at [^<]*/g)).to.deep.equal([
      'It signs in at old.shop.example alone, and the address of this installation is localhost: add a new one here, and remove this one.',
    ])
  })

  it('passkeys are named, renamed and removed', async () => {
    const { browser, key, person } = await withPasskey()
    const named = await browser.get(SECURITY)
    expect(named.text).to.contain('<strong>Phone</strong>').and.contain('never used')
    const name = '<b>Key & "co"</b>'
    const renamed = await browser.submit(SECURITY, `${ADD}/rename`, { id: key.id, new_name: name })
    expect(renamed.status).to.equal(303)
    expect((await browser.get(SECURITY)).text).to.contain(
      '<strong>&lt;b&gt;Key &amp; &quot;co&quot;&lt;/b&gt;</strong>',
    )
    for (const wrong of ['', '  ', 'x'.repeat(61), 'a\u202eb'])
      expect((await browser.submit(SECURITY, `${ADD}/rename`, { id: key.id, new_name: wrong })).status).to.equal(422)
    expect((await browser.submit(SECURITY, `${ADD}/rename`, { id: 'x', new_name: 'y' })).status).to.equal(404)

    const other = await withPasskey()
    await other.browser.submit(SECURITY, REMOVE, { id: key.id })
    expect((await signInBy(newBrowser(), key)).answer.status).to.equal(303)
    expect((await browser.submit(SECURITY, REMOVE, { id: key.id })).status).to.equal(303)
    expect((await signInBy(newBrowser(), key)).answer.status).to.equal(422)
    expect((await newBrowser().signIn(person.address, PASSWORD)).status).to.equal(303)
  })

  it('a challenge for another session adds no passkey, and one passkey is added once', async () => {
    const { browser, key } = await withPasskey()
    const second = newBrowser()
    const person = await newPerson(service)
    await withPassword(service, person)
    await second.signIn(person.address, PASSWORD)
    const page = await browser.get(SECURITY)
    const options = optionsIn(page.text) as Parameters<Authenticator['create']>[0]
    const stolen = JSON.stringify(new Authenticator().create(options, `http://${host}`))
    const refused = await second.submit(SECURITY, ADD, { name: 'Stolen', answer: stolen })
    expect(refused.status).to.equal(422)
    const twice = JSON.stringify(key.create(options, `http://${host}`))
    const again = await browser.submit(SECURITY, ADD, { name: 'Twice', answer: twice })
    expect(again.status).to.equal(422)
    expect(again.text).to.contain('The passkey is there already')
  })

  it('the script is the only one, and the policy lets in no other', async () => {
    const { headers, text } = await newBrowser().get('/sign-in')
    const source = `http://${host}/account/passkeys.js`
    expect(headers['content-security-policy']).to.contain(`script-src ${source};`).and.not.contain('unsafe')
    expect(text.match(/<script/g)).to.deep.equal(['<script'])
    const script = await newBrowser().get('/account/passkeys.js')
    expect(script.status).to.equal(200)
    expect(script.headers).to.include({ 'x-content-type-options': 'nosniff' })
    expect(script.headers['content-type']).to.match(/^text\/javascript/)
    expect((await newBrowser().get('/sign-in/link')).headers['content-security-policy']).not.to.contain('script-src')
  })
})

describe('passkeys at addresses that browsers do not use them at', () => {
  const pageAt = async (url: string) => {
    const service = await startTestService({ MILLRACE_API_URL: url })
    const person = await newPerson(service)
    await withPassword(service, person)
    const browser = accountBrowser(service, new URL(url).host)
    await browser.signIn(person.address, PASSWORD)
    return {
      signIn: await accountBrowser(service, new URL(url).host).get('/sign-in'),
      security: await browser.get(SECURITY),
    }
  }

  it('16 22: they are not offered at a number, and the page says why', async () => {
    const { signIn, security } = await pageAt('http://192.168.7.7:3000')
    expect(signIn.text).not.to.contain('passkey')
    expect(security.text).to.contain('the address of this installation is a number').and.not.contain('data-passkey')
  })

  it('16 22: they are not offered without https, and the page says why', async () => {
    const { signIn, security } = await pageAt('http://name.local:3000')
    expect(signIn.text).not.to.contain('passkey')
    expect(security.text).to.contain('is not https').and.not.contain('data-passkey')
  })
})
