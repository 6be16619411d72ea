import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import type { MailReport } from '../../../domain/kernel/ports/mail-reports.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { type MailListener, startMailListener } from '../../../infra/mail-intake/listener.ts'
import { autoReply, deliveryReport } from './mails.ts'

const OURS = 'b+token@bounces.shop.example'

/** Conversation with an SMTP server: sends a line, and returns the last line of the answer. */
class Conversation {
  readonly #socket: Socket
  readonly #answers: AsyncIterator<string>

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('error', () => undefined)
    this.#answers = createInterface({ input: this.#socket })[Symbol.asyncIterator]()
  }

  async answer(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#answers.next()
      if (done) return 'closed'
      if (/^\d{3} /.test(value)) return value
    }
  }

  say(line: string): Promise<string> {
    this.#socket.write(`${line}\r\n`)
    return this.answer()
  }

  async send(mail: Buffer): Promise<string> {
    expect(await this.say('DATA')).to.match(/^354 /)
    this.#socket.write(mail)
    return this.say('\r\n.')
  }

  async end(): Promise<void> {
    this.#socket.destroy()
    if (!this.#socket.closed) await once(this.#socket, 'close')
  }
}

describe('The listener for reports about mails', () => {
  const taken: { recipient: string; report: MailReport }[] = []
  let isAway = false
  let listener: MailListener
  let talk: Conversation

  before(async () => {
    listener = await startMailListener({
      ...{ name: 'mail.shop.example', host: '127.0.0.1', port: 0, logger: { warn: () => undefined } },
      reports: {
        accepts: (recipient) => recipient.endsWith('@bounces.shop.example'),
        async take(recipient, report) {
          if (isAway) throw refuse.unavailable('the log cannot be reached')
          taken.push({ recipient, report })
        },
      },
    })
  })
  after(() => listener.close())
  beforeEach(async () => {
    taken.length = 0
    talk = new Conversation(listener.port)
    expect(await talk.answer()).to.match(/^220 mail\.shop\.example /)
    expect(await talk.say('EHLO mx.far.example')).to.match(/^250 /)
    expect(await talk.say('MAIL FROM:<>')).to.match(/^250 /)
  })
  afterEach(() => talk.end())

  it('takes a report for an address of its own', async () => {
    expect(await talk.say(`RCPT TO:<${OURS}>`)).to.match(/^250 /)
    expect(await talk.send(deliveryReport('Final-Recipient: rfc822; a@b.example\r\nAction: failed'))).to.match(/^250 /)
    expect(taken).to.have.length(1)
    expect(taken[0]).to.deep.include({ recipient: OURS })
    expect(taken[0]?.report.kind).to.equal('delivery')
  })

  it('14 74: relays nothing', async () => {
    for (const recipient of ['somebody@far.example', 'b+token@bounces.shop.example@far.example', 'postmaster'])
      expect(await talk.say(`RCPT TO:<${recipient}>`), recipient).to.match(/^5\d\d /)
    expect(await talk.say('DATA')).to.match(/^5\d\d /)
    expect(await talk.say('AUTH PLAIN AGEAYg==')).to.match(/^5\d\d /)
  })

  it('14 74: answers 250 to what it cannot use', async () => {
    expect(await talk.say(`RCPT TO:<${OURS}>`)).to.match(/^250 /)
    expect(await talk.send(autoReply())).to.match(/^250 /)
    expect(taken.map(({ report }) => report)).to.deep.equal([{ kind: 'none' }])
  })

  it('14 74: reads a large mail in part, and refuses one that is too large', async () => {
    const report = deliveryReport('Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1')
    const line = `${'x'.repeat(70)}\r\n`
    expect(await talk.say(`RCPT TO:<${OURS}>`)).to.match(/^250 /)
    expect(await talk.send(Buffer.concat([report, Buffer.from(line.repeat(30_000))]))).to.match(/^250 /)
    expect(taken[0]?.report).to.deep.include({ kind: 'delivery' })
    expect(await talk.say('MAIL FROM:<> SIZE=99999999')).to.match(/^552 /)
    expect(await talk.say('MAIL FROM:<>')).to.match(/^250 /)
    expect(await talk.say(`RCPT TO:<${OURS}>`)).to.match(/^250 /)
    expect(await talk.send(Buffer.from(line.repeat(300_000)))).to.match(/^552 /)
    expect(taken).to.have.length(1)
  })

  it('14 74: takes few recipients at once', async () => {
    for (let n = 0; n < 10; n++) expect(await talk.say(`RCPT TO:<b+${n}@bounces.shop.example>`)).to.match(/^250 /)
    expect(await talk.say('RCPT TO:<b+10@bounces.shop.example>')).to.match(/^452 /)
  })

  it('asks senders to come again while a store is unavailable', async () => {
    isAway = true
    expect(await talk.say(`RCPT TO:<${OURS}>`)).to.match(/^250 /)
    expect(await talk.send(autoReply())).to.match(/^451 /)
    isAway = false
  })
})
