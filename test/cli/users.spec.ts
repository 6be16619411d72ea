import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { accountBrowser, PASSWORD } from '../support/account.ts'
import { eventually } from '../support/eventually.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { turnOnCodes } from '../support/second-factor.ts'
import { startSink } from '../support/servers/smtp-sink.ts'

const linkIn = (text: string): string => /http\S+/.exec(text)?.[0] ?? ''

describe('millrace users', function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned | undefined
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-users-'))
    service = await hostMillrace(data)
  })
  after(async () => {
    await service?.stop()
    await rm(data, { recursive: true, force: true })
  })

  const users = async (...args: readonly string[]) => millrace(['users', ...args, '--data', data])

  it('16 15: invites a person with a link to hand over, where no mail leaves the house', async () => {
    const { code, out, err } = await users('invite', 'Ada@Example.com', '--role', 'admin')
    expect([code, err]).to.deep.equal([0, ''])
    expect(out).to.contain('Ada@Example.com is invited. Hand over this link')
    expect(linkIn(out)).to.match(/^http:\/\/localhost:\d+\/invitations\/[\w-]+$/)
  })

  it('gives an open invitation another link, and says so as JSON', async () => {
    const again = JSON.parse((await users('invite', 'ADA@example.com', '--json')).out)
    expect(again).to.include({ email: 'Ada@Example.com', mailed: false })
    expect(again.role_ids).to.deep.equal(['admin'])
    const more = JSON.parse((await users('invite', 'ada@example.com', '--json')).out)
    expect(more.id).to.equal(again.id)
    expect(more.link).not.to.equal(again.link)
  })

  it('lists members, and who is invited', async () => {
    const { out } = await users('list')
    expect(out).to.match(/^TEAM +USER +EMAIL +NAME +ROLES +STATUS\n/)
    expect(out).to.match(/Ada@Example\.com +admin +invited\n/)
    const listed = (await users('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(listed.map(({ status }) => status)).to.deep.equal(['member', 'open'])
    expect(listed[0].role_ids).to.deep.equal(['admin'])
    expect(JSON.stringify(listed)).not.to.contain('millrace.invalid')
  })

  it('16 15: resets a person, and prints a link', async () => {
    const [owner] = (await users('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { code, out } = await users('reset', owner.email.toUpperCase())
    expect(code).to.equal(0)
    expect(out).to.contain(`${owner.email} is signed out everywhere`)
    const link = linkIn(out)
    expect(link).to.match(/^http:\/\/localhost:\d+\/in\/[\w-]+$/)
    const again = JSON.parse((await users('reset', owner.email, '--json')).out)
    expect(again).to.include({ user_id: owner.user_id, email: owner.email })
    expect(again.link)
      .to.match(/\/in\/[\w-]+$/)
      .and.not.equal(link)
    const unknown = await users('reset', 'nobody@example.com')
    expect([unknown.code, unknown.err]).to.deep.equal([1, 'millrace: No user has the address nobody@example.com\n'])
  })

  it('16 19: turns off the codes of a person who has lost all of them', async () => {
    const [owner] = (await users('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const resetLink = async (...more: readonly string[]): Promise<string> =>
      JSON.parse((await users('reset', owner.email, '--json', ...more)).out).link
    const newBrowser = () => accountBrowser({ url: service!.ready.origin })
    const browser = newBrowser()
    await browser.enter(await resetLink(), { password: PASSWORD })
    await turnOnCodes(browser)
    const asked = await newBrowser().enter(await resetLink(), { password: PASSWORD })
    expect(asked.headers.location).to.equal('/sign-in/code')
    const told = await users('reset', owner.email, '--totp')
    expect(told.out).to.contain('is signed out everywhere, and is asked for no codes any more')
    const { headers } = await newBrowser().enter(linkIn(told.out), { password: PASSWORD })
    expect(headers.location).to.equal('/sign-in/done')
  })

  it('refuses what is no address, a role that there is not, and an unknown team', async () => {
    for (const [args, said] of [
      [['invite', 'nobody'], 'nobody is no e-mail address'],
      [['invite', 'b@example.com', '--team', '999'], 'say which team with --team ID; there are\n  1  '],
      [['invite', 'b@example.com', '--role', 'owner'], 'Allowed choices are admin, member'],
    ] as const) {
      const { code, out, err } = await users(...args)
      expect([code, out]).to.deep.equal([1, ''])
      expect(err).to.contain(said)
    }
  })

  it('does so without a running service as well', async () => {
    await service?.stop()
    service = undefined
    const { link } = JSON.parse((await users('invite', 'bob@example.com', '--json')).out)
    expect(link).to.match(/^http:\/\/localhost:\d+\/invitations\/[\w-]+$/)
    expect((await users('list')).out).to.contain('bob@example.com')
  })
  it('leaves the mail of an invitation to the service, where mail is configured', async () => {
    const sink = await startSink()
    const settings = { SMTP_URL: sink.url, MILLRACE_MAIL_FROM: 'millrace@example.com' }
    try {
      const { out } = await millrace(['users', 'invite', 'Carol@Example.com', '--data', data], settings)
      expect(linkIn(out)).to.match(/\/invitations\/[\w-]+$/)
      expect(sink.arrived).to.deep.equal([])
      service = await hostMillrace(data, settings)
      const toCarol = () => sink.arrived.filter(({ to }) => to[0] === 'Carol@Example.com')
      await eventually(async () => expect(toCarol()).to.have.length(1))
      const source = toCarol()[0]!.source.toString().replaceAll('=\r\n', '')
      expect(source).to.contain(new URL(linkIn(out)).pathname)
      const running = await millrace(['users', 'invite', 'dave@example.com', '--data', data], settings)
      expect(running.out).to.equal('dave@example.com is invited, and gets a mail with a link.\n')
    } finally {
      await sink.stop()
    }
  })
})
