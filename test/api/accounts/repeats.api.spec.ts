import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { oncePerBrowser } from '../../../api/html/repeats.ts'
import type { ApiContext } from '../../../api/http/context.ts'
import {
  type AccountBrowser,
  accountBrowser,
  linkOf,
  newPerson,
  PASSWORD,
  withPassword,
} from '../../support/account.ts'
import { fieldsIn } from '../../support/member.ts'
import { turnOnCodes } from '../../support/second-factor.ts'
import { type TestService, testService } from '../../support/service.ts'

/** Form that can be sent once, as a browser has loaded it. */
interface Loaded {
  readonly browser: AccountBrowser
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

describe('a button that is pressed twice', () => {
  let service: TestService

  before(async () => {
    service = await testService()
  })

  const opened = async (browser: AccountBrowser, link: string): Promise<string> =>
    String((await browser.get(new URL(link).pathname)).headers.location)

  const byLink = async (purpose: 'first' | 'reset', more = {}): Promise<Loaded> => {
    const browser = accountBrowser(service)
    await opened(browser, await linkOf(service, await newPerson(service), purpose))
    return { browser, path: '/in', fields: { ...fieldsIn((await browser.get('/in')).text, '/in'), ...more } }
  }

  const invitationTo = async (email: string): Promise<string> => {
    const { teamId } = await service.tenant()
    return (await service.background.users.invite({ teamId, email, role: 'member' })).path
  }

  const loads: Readonly<Record<string, () => Promise<Loaded>>> = {
    'the link that signs in': () => byLink('first'),
    'the link to a new password': () => byLink('reset', { password: PASSWORD }),
    'the invitation of somebody new': async () => {
      const path = await invitationTo(`twice.${Date.now()}@example.com`)
      const browser = accountBrowser(service)
      await browser.get(path)
      return { browser, path, fields: { first_name: 'Ann', last_name: 'Other', password: PASSWORD } }
    },
    'the invitation of somebody who is signed in': async () => {
      const person = await newPerson(service)
      const browser = await withPassword(service, person)
      const path = await invitationTo(person.address)
      return { browser, path, fields: fieldsIn((await browser.get(path)).text, path) }
    },
    'a changed password': async () => {
      const browser = await withPassword(service, await newPerson(service))
      const path = '/account/password'
      const fields = fieldsIn((await browser.get(path)).text, path)
      return { browser, path, fields: { ...fields, present: PASSWORD, password: `${PASSWORD} again` } }
    },
    'the second step': async () => {
      const person = await newPerson(service)
      const { next } = await turnOnCodes(await withPassword(service, person))
      const browser = accountBrowser(service)
      await browser.get('/sign-in')
      await browser.signIn(person.address, PASSWORD)
      const path = '/sign-in/code'
      return { browser, path, fields: { ...fieldsIn((await browser.get(path)).text, path), code: next } }
    },
  }

  /** Another browser with the cookies of one, but for that by which the browser is known. */
  const stranger = (browser: AccountBrowser): AccountBrowser => {
    const other = accountBrowser(service)
    for (const [name, value] of browser.cookies) if (name !== 'mr_browser') other.cookies.set(name, value)
    return other
  }

  /** A browser that has lost the answers that another gets. */
  const withOld = (browser: AccountBrowser): AccountBrowser => {
    const other = accountBrowser(service)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    return other
  }

  for (const [what, load] of Object.entries(loads)) {
    it(`lands in the session, both at once: ${what}`, async () => {
      const { browser, path, fields } = await load()
      const [first, second] = await Promise.all([browser.post(path, fields), browser.post(path, fields)])
      expect([first.status, second.status]).to.deep.equal([303, 303])
      expect(second.headers['set-cookie']).to.deep.equal(first.headers['set-cookie'])
      expect(await browser.isIn()).to.equal(true)
    })

    it(`lands in the session when the first answer was lost: ${what}`, async () => {
      const { browser, path, fields } = await load()
      const lost = withOld(browser)
      const stolen = stranger(browser)
      await lost.post(path, fields)
      expect((await browser.post(path, fields)).status).to.equal(303)
      expect(await browser.isIn()).to.equal(true)
      const answer = await stolen.post(path, fields)
      expect(answer.headers['set-cookie']?.some((one) => one.startsWith('mr_session='))).not.to.equal(true)
      if (what !== 'the invitation of somebody who is signed in') expect(await stolen.isIn()).to.equal(false)
    })
  }

  it('gives no answer again after a minute, and none to a refusal', async () => {
    const { secrets, shortTerm } = service.background.stores
    let now = Date.now()
    let carriedOut = 0
    const ask = async (status: number, browser = 'one'): Promise<unknown> => {
      const app = new Koa()
      const ctx = app.createContext(new IncomingMessage(new Socket()), new ServerResponse({} as IncomingMessage))
      const context = ctx as unknown as ApiContext
      await oncePerBrowser(
        { secrets, shortTerm, now: () => now },
        context,
        { browser, sent: String(status) },
        async () => {
          ctx.status = status
          ctx.body = `answer ${++carriedOut}`
        },
      )
      return ctx.body
    }
    expect([await ask(200), await ask(200), await ask(200, 'two')]).to.deep.equal(['answer 1', 'answer 1', 'answer 2'])
    now += 60_001
    expect(await ask(200)).to.equal('answer 3')
    expect([await ask(422), await ask(422)]).to.deep.equal(['answer 4', 'answer 5'])
  })

  it('goes on where the link is opened again, or one goes back, while signed in', async () => {
    const { browser, path, fields } = await loads['the link that signs in']!()
    const token = browser.cookies.get('mr_sign_in')
    await browser.post(path, fields)
    expect((await browser.get('/in')).headers.location).to.equal('/account')
    expect((await browser.get(`/in/${token}`)).headers.location).to.equal('/in')
    expect((await browser.get('/in')).headers.location).to.equal('/account')
    const other = await withPassword(service, await newPerson(service))
    await other.get(`/in/${token}`)
    expect((await other.get('/in')).status).to.equal(410)
    expect((await other.post('/in', fields)).status).to.equal(410)
  })

  it('keeps no answer in clear', async () => {
    const { browser, path, fields } = await loads['the link that signs in']!()
    const kept: string[] = []
    const { shortTerm } = service.background.stores
    const { put } = shortTerm
    shortTerm.put = (where, record) => {
      if (where.kind === 'pages/repeats') kept.push(JSON.stringify([where, record]))
      return put.call(shortTerm, where, record)
    }
    try {
      await browser.post(path, fields)
    } finally {
      shortTerm.put = put
    }
    expect(kept).to.have.length(1)
    const [, secret = ''] = browser.cookies.get('mr_session')!.split('.')
    expect(kept[0]).not.to.contain(secret)
  })
})
