import { expect } from 'chai'
import { mailSettingsIn } from '../../../infra/mail/settings.ts'
import { openUserMail } from '../../../infra/mail/user-mail.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startWordSmtp } from '../../support/servers/word-smtp.ts'

const MAIL = { to: 'Paula@Example.com', subject: 'Your link', text: 'Here\n', html: '<p>Here</p>' }

describe('mail to users', () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  const opened = async (settings: object, options: Parameters<typeof startSink>[0] = {}) => {
    const sink = await startSink(options)
    const mail = openUserMail(mailSettingsIn({ SMTP_URL: sink.url, ...settings }))
    ends.push(async () => {
      await mail?.close()
      await sink.stop()
    })
    return { sink, mail }
  }

  it('comes from the configured address, or from the operator’s name for mail', async () => {
    for (const [settings, from] of [
      [{ MILLRACE_MAIL_FROM: 'hello@shop.example' }, 'hello@shop.example'],
      [{ MILLRACE_MAIL_DOMAIN: 'mail.shop.example' }, 'no-reply@mail.shop.example'],
      [{ MILLRACE_MAIL_DOMAIN: 'mail.shop.example', MILLRACE_MAIL_FROM: 'a@shop.example' }, 'a@shop.example'],
    ] as const) {
      const { sink, mail } = await opened(settings)
      await mail?.send(MAIL)
      const [one] = sink.arrived
      expect([one?.from, one?.to]).to.deep.equal([from, ['Paula@Example.com']])
      expect(one?.source.toString()).to.contain('Auto-Submitted: auto-generated').and.contain(`<${from}>`)
    }
  })

  it('goes to and from domains in ASCII, and comes from an address that every server takes', async () => {
    const server = await startWordSmtp((line) => (line.startsWith('EHLO') ? '250-hello\r\n250 SMTPUTF8' : undefined))
    const mail = openUserMail(mailSettingsIn({ SMTP_URL: server.url, MILLRACE_MAIL_FROM: 'hello@bücher.example' }))
    ends.push(async () => {
      await mail?.close()
      await server.stop()
    })
    await mail?.send({ ...MAIL, to: 'Päula@Bücher.example' })
    const [from, to] = server.lines.filter((line) => /^(MAIL|RCPT)/.test(line))
    expect(from).to.match(/^MAIL FROM:<hello@xn--bcher-kva\.example>.* SMTPUTF8\b/)
    expect(to).to.equal('RCPT TO:<Päula@xn--bcher-kva.example>')
    expect(() => mailSettingsIn({ MILLRACE_MAIL_FROM: 'hällo@shop.example' })).to.throw('MILLRACE_MAIL_FROM')
  })

  it('is not sent without a server, or without an address to send from', async () => {
    expect((await opened({})).mail).to.equal(undefined)
    expect(openUserMail(mailSettingsIn({ MILLRACE_MAIL_FROM: 'hello@shop.example' }))).to.equal(undefined)
    expect(() => mailSettingsIn({ MILLRACE_MAIL_FROM: 'nobody' })).to.throw('MILLRACE_MAIL_FROM must be an address')
  })

  it('does not begin once it is not wanted any more, also when it is tried once more', async () => {
    let begun = 0
    const asked = await opened(
      { MILLRACE_MAIL_FROM: 'hello@shop.example' },
      { recipient: () => (begun++ === 0 ? { code: 451, text: 'later' } : undefined) },
    )
    await asked.mail?.send({ ...MAIL, isWanted: async () => begun === 0 })
    expect([begun, asked.sink.arrived]).to.deep.equal([1, []])
  })

  it('is tried once more when the server asks for that, and given up when it refuses', async () => {
    let asked = 0
    const busy = await opened(
      { MILLRACE_MAIL_FROM: 'hello@shop.example' },
      { message: () => (asked++ === 0 ? { code: 451, text: 'later' } : undefined) },
    )
    await busy.mail?.send(MAIL)
    expect(busy.sink.arrived).to.have.length(1)
    const refusing = await opened(
      { MILLRACE_MAIL_FROM: 'hello@shop.example' },
      { recipient: () => ({ code: 550, text: 'no such user' }) },
    )
    const error = await refusing.mail?.send(MAIL).catch((reason: Error) => reason)
    expect(String(error)).to.contain('the mail was not handed over: bounced')
  })
})
