import { expect } from 'chai'
import { routesOf } from '../../../api/accounts/app.ts'
import { type AccountBrowser, accountBrowser, newPerson, withPassword } from '../../support/account.ts'
import { fieldsIn } from '../../support/member.ts'
import { type TestService, testService } from '../../support/service.ts'

/** Ids and codes that patterns of paths have. */
const FILLINGS = ['1', '1'.repeat(12)]

/** Returns a path that a pattern matches: its groups are ids or codes. */
const pathOf = (pattern: RegExp): string => {
  const bare = pattern.source.replaceAll('\\/', '/').replaceAll(/^\^|\$$/g, '')
  const paths = FILLINGS.map((filling) => bare.replaceAll(/\((?:[^()[\]]|\[[^\]]*\])*\)/g, filling))
  const path = paths.find((one) => pattern.test(one))
  if (path === undefined) throw new Error(`no path is known for ${pattern.source}`)
  return path
}

const TAKING = routesOf(0).filter(({ take }) => take !== undefined)

describe('every form of the accounts’ pages', () => {
  let service: TestService
  let browser: AccountBrowser
  let form_token: string

  before(async () => {
    service = await testService()
    browser = await withPassword(service, await newPerson(service))
    form_token = String(fieldsIn((await browser.get('/account')).text, '/sign-out').form_token)
  })

  afterEach('nobody was signed out', async () => {
    expect(await browser.isIn()).to.equal(true)
  })

  it('knows the forms, those of strangers and those of users', () => {
    const of = (audience: string) =>
      TAKING.filter((route) => route.audience === audience).map(({ path }) => pathOf(path))
    expect(of('everybody')).to.include.members([
      '/sign-in',
      '/sign-in/code',
      '/sign-in/passkey',
      '/sign-in/link',
      '/in',
    ])
    expect(of('users')).to.include.members(['/sign-out', '/account/password', '/account/security/codes'])
  })

  for (const { path: pattern, audience } of TAKING) {
    const path = pathOf(pattern)
    const isOpen = audience === 'everybody'

    it(`16 11: ${path} takes nothing from another site or another port`, async () => {
      const elsewhere: readonly Readonly<Record<string, string>>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'http://evil.example' },
        { origin: `http://${browser.host.split(':')[0]}:9` },
        { origin: 'null' },
      ]
      for (const headers of elsewhere) {
        const { status } = await browser.post(path, { form_token }, headers)
        expect(status, JSON.stringify(headers)).to.equal(403)
      }
    })

    it(`16 11: ${path} takes nothing but a form`, async () => {
      for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
        const { status } = await browser.post(path, { form_token }, { 'content-type': type })
        expect(status, type).to.equal(403)
      }
    })

    if (!isOpen)
      it(`${path} takes nothing without the token of this session`, async () => {
        const other = await withPassword(service, await newPerson(service))
        const others = String(fieldsIn((await other.get('/account')).text, '/sign-out').form_token)
        for (const token of ['', 'x', others, `${form_token}x`, form_token.toUpperCase()])
          expect((await browser.post(path, { form_token: token })).status, token).to.equal(403)
        expect((await browser.post(path)).status).to.equal(403)
        const stranger = await accountBrowser(service).post(path, { form_token })
        expect(stranger.status).to.equal(303)
        expect(stranger.headers.location).to.match(/^\/sign-in(\?|$)/)
      })
  }
})
