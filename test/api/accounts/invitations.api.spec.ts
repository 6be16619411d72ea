import { expect } from 'chai'
import {
  type AccountBrowser,
  accountBrowser,
  linkOf,
  newPerson,
  PASSWORD,
  type Person,
  withPassword,
} from '../../support/account.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { until } from '../../support/eventually.ts'
import { fieldsIn as fieldsOf } from '../../support/member.ts'
import { turnOnCodes } from '../../support/second-factor.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'

let people = 0
const nobodyYet = (): string => `New.Person${++people}.${process.pid}@Example.com`

describe('invitations to a team', () => {
  let service: TestService
  let tenant: Tenant
  let ofTeam: ApiClient
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    ofTeam = await tenant.withScopes(['account:write'], 'team')
  })

  const invite = async (email: string, role: 'admin' | 'member' = 'member') => {
    const { id, path } = await service.background.users.invite({ email, role, teamId: tenant.teamId })
    return { id, path }
  }
  const membersNow = async () => ok(await ofTeam.get(`/teams/${tenant.teamId}/memberships`)) as { user_email: string }[]
  const isMember = async (address: string) =>
    (await membersNow()).some(({ user_email }) => user_email.toLowerCase() === address.toLowerCase())
  const statusOf = async (id: number) => ok(await ofTeam.get(`/invitations/${id}`)).status as string
  const person = { first_name: 'Nina', last_name: 'New' }
  const teamPage = () => `/account/teams/${tenant.teamId}`

  it('16 23: opening one accepts nothing, however often', async () => {
    const address = nobodyYet()
    const { id, path } = await invite(address)
    const browser = accountBrowser(service)
    for (let times = 0; times < 3; times++) {
      await browser.head(path)
      const { status, text } = await browser.get(path)
      expect(status).to.equal(200)
      expect(text).to.contain(`${address} is invited`).and.not.contain('<script')
    }
    expect([await statusOf(id), await isMember(address), await browser.isIn()]).to.deep.equal(['open', false, false])
  })

  it('16 23: opened while somebody else is signed in, it shows both addresses, offers to sign out, and is not used up', async () => {
    const [other, address] = [await newPerson(service), nobodyYet()]
    const browser = await withPassword(service, other)
    const { id, path } = await invite(address)
    const { text } = await browser.get(path)
    expect(text)
      .to.contain(`You are signed in as ${other.address} in this browser. The invitation is for ${address}.`)
      .and.contain(`Sign out ${other.address}, and go on as ${address}`)
    const { sign_out: _, ...token } = fieldsOf(text, path)
    for (const fields of [token, { ...token, ...person, password: PASSWORD }]) {
      const refused = await browser.post(path, fields)
      expect([refused.status, await browser.isIn()]).to.deep.equal([403, true])
    }
    expect([await statusOf(id), await isMember(address), await isMember(other.address)]).to.deep.equal([
      'open',
      false,
      false,
    ])
    expect((await browser.post(path, { sign_out: '1' })).status, 'without the token').to.equal(403)
    expect(await browser.isIn()).to.equal(true)
    const out = await browser.post(path, { ...token, sign_out: '1' })
    expect([out.status, out.headers.location]).to.deep.equal([303, path])
    expect(await browser.isIn()).to.equal(false)
    expect((await browser.get(path)).text).to.contain('name="first_name"')
  })

  it('16 24: a new person proves the address by the link, chooses a password, and is in', async () => {
    const address = nobodyYet()
    const { id, path } = await invite(address, 'admin')
    const browser = accountBrowser(service)
    const answer = await browser.post(path, { ...person, password: PASSWORD })
    expect(answer.status).to.equal(303)
    const done = await browser.get(String(answer.headers.location))
    expect(done.headers.location).to.equal(teamPage())
    expect((await browser.get(teamPage())).text)
      .to.contain('Nina New')
      .and.contain('Admin')
    expect([await statusOf(id), await isMember(address)]).to.deep.equal(['accepted', true])
    const again = accountBrowser(service)
    expect((await again.signIn(address.toUpperCase(), PASSWORD)).status).to.equal(303)
  })

  it('16 24: a new person may go on with links, without a password', async () => {
    const address = nobodyYet()
    const { path } = await invite(address)
    const browser = accountBrowser(service)
    expect((await browser.post(path, { ...person, password: '' })).status).to.equal(303)
    expect(await browser.isIn()).to.equal(true)
    for (const password of ['', PASSWORD])
      expect((await accountBrowser(service).signIn(address, password)).status).to.equal(422)
  })

  it('says what is wrong with what a new person puts in, and opens nothing', async () => {
    const address = nobodyYet()
    const { id, path } = await invite(address)
    const browser = accountBrowser(service)
    for (const [fields, said] of [
      [{ ...person, password: 'short' }, 'at least 10 characters'],
      [{ ...person, password: 'a'.repeat(1025) }, 'at most 1024 bytes'],
      [{ ...person, first_name: ' ', password: '' }, 'Please enter a name'],
      [{ ...person, last_name: 'x'.repeat(256), password: '' }, 'Please enter a name'],
    ] as const) {
      const { status, text } = await browser.post(path, fields)
      expect([status, text.includes(said)], said).to.deep.equal([422, true])
    }
    expect([await statusOf(id), await browser.isIn()]).to.deep.equal(['open', false])
  })

  describe('of an address that has an account', () => {
    let invited: Person
    let own: AccountBrowser
    before(async () => {
      invited = await newPerson(service)
      own = await withPassword(service, invited)
    })

    it('16 24: sets no password, and signs nobody in: one signs in as that account', async () => {
      const { id, path } = await invite(invited.address.toLowerCase())
      const stranger = accountBrowser(service)
      const { text } = await stranger.get(path)
      expect(text)
        .to.contain('There is an account with this address')
        .and.contain(`href="/sign-in?to=${encodeURIComponent(path)}"`)
        .and.not.contain('type="password"')
      await stranger.post(path, { ...person, password: 'the password of somebody else' })
      expect([await stranger.isIn(), await statusOf(id)]).to.deep.equal([false, 'open'])
      const taken = await accountBrowser(service).signIn(invited.address, 'the password of somebody else')
      expect(taken.status).to.equal(422)
      const { status, headers } = await stranger.signIn(invited.address, PASSWORD, { to: path })
      expect(status).to.equal(303)
      const back = await stranger.get(String(headers.location))
      expect(back.headers.location).to.equal(path)
      const { status: accepted } = await stranger.submit(path, path)
      expect([accepted, await statusOf(id), await isMember(invited.address)]).to.deep.equal([303, 'accepted', true])
    })

    it('16 18, 16 24: joins nobody before the code of the second factor', async () => {
      const careful = await newPerson(service)
      const { next } = await turnOnCodes(await withPassword(service, careful))
      const { id, path } = await invite(careful.address)
      const browser = accountBrowser(service)
      const { headers } = await browser.signIn(careful.address, PASSWORD, { to: path })
      const step = String(headers.location)
      expect(step).to.contain('/sign-in/code')
      await browser.post(path, {})
      expect((await browser.get(path)).text).to.contain('There is an account with this address')
      expect([await browser.isIn(), await statusOf(id)]).to.deep.equal([false, 'open'])
      const form = fieldsOf((await browser.get(step)).text, '/sign-in/code')
      const done = await browser.post('/sign-in/code', { ...form, code: next })
      const back = await browser.get(String(done.headers.location))
      expect(back.headers.location).to.equal(path)
      expect((await browser.submit(path, path)).status).to.equal(303)
      expect(await statusOf(id)).to.equal('accepted')
    })

    it('needs the token of its page, and a page of this host', async () => {
      const left = await newPerson(service)
      const browser = await withPassword(service, left)
      const { id, path } = await invite(left.address)
      const fields = fieldsOf((await browser.get(path)).text, path)
      await browser.post(path, {})
      await browser.post(path, { form_token: 'a'.repeat(43) })
      const foreign = await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' })
      expect([foreign.status, await statusOf(id)]).to.deep.equal([403, 'open'])
      expect((await browser.post(path, fields)).status).to.equal(303)
      expect(await statusOf(id)).to.equal('accepted')
    })

    it('leads who has accepted it to the team', async () => {
      const { path } = await invite(nobodyYet())
      const browser = accountBrowser(service)
      await browser.post(path, { ...person, password: '' })
      const { status, headers } = await browser.get(path)
      expect([status, headers.location]).to.deep.equal([303, teamPage()])
      const other = await own.get(path)
      expect([other.status, other.text.includes('accepted already')]).to.deep.equal([410, true])
    })
  })

  it('do not work any more once they are withdrawn or have another link', async () => {
    const address = nobodyYet()
    const first = await invite(address)
    const second = await invite(address)
    expect(second.id).to.equal(first.id)
    const browser = accountBrowser(service)
    for (const post of [false, true]) {
      const answer = post ? await browser.post(first.path, { ...person, password: '' }) : await browser.get(first.path)
      expect([answer.status, answer.text.includes('a newer mail')]).to.deep.equal([410, true])
    }
    ok(await ofTeam.delete(`/invitations/${second.id}`))
    const gone = await browser.post(second.path, { ...person, password: '' })
    expect([gone.status, gone.text.includes('was withdrawn'), await browser.isIn()]).to.deep.equal([410, true, false])
  })

  it('are found by no link that was not signed here', async () => {
    const { path } = await invite(nobodyYet())
    const browser = accountBrowser(service)
    for (const wrong of [`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, '/invitations/x', `${path}A`])
      for (const answer of [await browser.get(wrong), await browser.post(wrong, { ...person, password: '' })])
        expect(answer.status, wrong).to.equal(404)
  })

  it('16 3, 16 25: come by mail to the address as it was invited, with a link of the configured address', async () => {
    const sink = await startSink()
    try {
      const url = 'https://accounts.example.com'
      const mailing = await startTestService({ SMTP_URL: sink.url, MILLRACE_API_URL: url })
      const own = await mailing.tenant()
      const api = await own.withScopes(['account:write'], 'team')
      const invitation = { email: 'Ada.Lovelace@Example.com' }
      const { id } = ok(await api.post(`/teams/${own.teamId}/invitations`, { invitation }))
      await until(() => sink.arrived.length === 1, 'the mail of an invitation')
      const { to, source } = sink.arrived[0]!
      const text = source.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
      expect(to).to.deep.equal(['Ada.Lovelace@Example.com'])
      const link = /https:\/\/accounts\.example\.com(\/invitations\/[\w-]+)/.exec(text)
      expect((await accountBrowser(mailing).get(link?.[1] ?? '')).text).to.contain(
        'Ada.Lovelace@Example.com is invited',
      )
      const { path, mailed } = await mailing.background.users.invite({
        ...{ email: 'ada.lovelace@example.com', role: 'member', teamId: own.teamId },
      })
      expect(mailed).to.equal(true)
      await until(() => sink.arrived.length === 2, 'the mail of a renewed invitation')
      expect(sink.arrived[1]!.source.toString().replaceAll('=\r\n', '')).to.contain(path)
      ok(await api.delete(`/invitations/${id}`))
    } finally {
      await sink.stop()
    }
  })

  it('16 47: leave nothing in the log by which they could be accepted', async () => {
    const { path } = await invite(nobodyYet())
    const stored: string[] = []
    for await (const { data, metadata } of service.background.stores.log.readAll({ after: -1 }))
      stored.push(JSON.stringify([data, metadata]))
    expect(stored.join('\n')).to.not.contain(path.split('/').at(-1))
  })

  it('16 24: somebody who was reset by the operator gets in by the new link alone', async () => {
    const reset = await newPerson(service)
    const browser = await withPassword(service, reset)
    const before = await linkOf(service, reset)
    const { path } = await service.background.users.reset({ address: reset.address.toUpperCase() })
    expect(await browser.isIn()).to.equal(false)
    const late = accountBrowser(service)
    await late.get(new URL(before).pathname)
    expect((await late.get('/in')).status).to.equal(410)
    await late.get(path)
    expect((await late.submit('/in', '/in', { password: 'another long password' })).status).to.equal(303)
    expect((await accountBrowser(service).signIn(reset.address, PASSWORD)).status).to.equal(422)
  })
})
