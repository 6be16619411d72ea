import { expect } from 'chai'
import type { OutgoingMail } from '../../../domain/kernel/ports/mail-transport.ts'
import { BOUNDS, type ConnectionBounds } from '../../../infra/mail/connections.ts'
import { mailSettingsIn } from '../../../infra/mail/settings.ts'
import { smtpTransport } from '../../../infra/mail/smtp.ts'
import { until } from '../../support/eventually.ts'
import { type Answer, startWordSmtp } from '../../support/servers/word-smtp.ts'

const outgoing = (address = 'ann@shop.example', messageId = 'one@shop.example'): OutgoingMail => ({
  compose: () => ({
    ...{ messageId, from: { name: 'Shop', address: 'news@shop.example' }, to: { name: 'Ann', address } },
    ...{ replyTo: null, subject: 'News', html: '<p>Hello</p>', text: 'Hello\n', headers: {} },
    returnPath: 'b+1@bounces.shop.example',
  }),
  ...{ contactId: 1, mailingId: 1, deliveryId: 1001, signWith: undefined },
})

describe('handing over to SMTP servers', () => {
  const ends: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  const serverThat = async (answer?: Answer) => {
    const server = await startWordSmtp(answer)
    ends.push(server.stop)
    return server
  }

  const transportTo = (servers: readonly { readonly url: string }[], more: Partial<ConnectionBounds> = {}) => {
    const settings = mailSettingsIn({ SMTP_URL: servers.map(({ url }) => url).join(',') })
    const transport = smtpTransport(settings.servers, { ...BOUNDS, ...more })
    ends.push(() => transport.close())
    return transport
  }

  it('14 38: the next server is tried only if the one before has surely not taken the mail', async () => {
    for (const at of ['EHLO', 'MAIL', 'RCPT', 'DATA']) {
      const first = await serverThat((line) => (line.startsWith(at) ? 'close' : undefined))
      const second = await serverThat()
      expect(await transportTo([first, second]).handOver(outgoing()), at).to.include({ came: 'accepted' })
      expect([first.messages.length, second.messages.length], at).to.deep.equal([0, 1])
    }
  })

  it('14 38: a reply that is lost after the final dot is doubt, on every server, and no other is tried', async () => {
    const loses = () => serverThat((line) => (line === '.' ? 'close' : undefined))
    const [down, first, second] = [await loses(), await loses(), await loses()]
    await down.stop()
    expect(await transportTo([first, second]).handOver(outgoing())).to.include({ came: 'doubt' })
    expect([first.messages.length, second.messages.length]).to.deep.equal([1, 0])
    expect(await transportTo([down, second, first]).handOver(outgoing())).to.include({ came: 'doubt' })
    expect([first.messages.length, second.messages.length]).to.deep.equal([1, 1])
  })

  const LETTERS = 'jürgen@xn--bcher-kva.example'
  const offering = () => serverThat((line) => (line.startsWith('EHLO') ? '250-hello\r\n250 SMTPUTF8' : undefined))

  it('announces letters beyond ASCII before the @ to a server that takes them', async () => {
    const server = await offering()
    const transport = transportTo([server])
    expect(await transport.handOver(outgoing(LETTERS))).to.include({ came: 'accepted' })
    expect(await transport.handOver(outgoing())).to.include({ came: 'accepted' })
    const [mail, recipient, plain] = server.lines.filter((line) => /^(MAIL|RCPT)/.test(line))
    expect(mail).to.match(/ SMTPUTF8\b/)
    expect(recipient).to.equal(`RCPT TO:<${LETTERS}>`)
    expect(plain).not.to.contain('SMTPUTF8')
    expect(server.messages[0]).to.match(/^To: Ann <jürgen@bücher\.example>$/m)
  })

  it('says nothing of them to a server that does not, and goes on with others on the same connection', async () => {
    const server = await serverThat()
    const transport = transportTo([server])
    expect(await transport.handOver(outgoing(LETTERS))).to.deep.equal({ came: 'refused', reason: 'no_smtputf8' })
    expect(await transport.handOver(outgoing())).to.include({ came: 'accepted' })
    expect(server.lines.filter((line) => /^(EHLO|MAIL)/.test(line))).to.have.length(2)
  })

  it('asks the other servers too, and again later while one of them cannot be asked', async () => {
    const [without, takes, down] = [await serverThat(), await offering(), await offering()]
    expect(await transportTo([without, takes]).handOver(outgoing(LETTERS))).to.include({ came: 'accepted' })
    await down.stop()
    for (const servers of [
      [without, down],
      [down, without],
    ]) {
      const transport = transportTo(servers)
      for (let time = 0; time < 2; time++)
        expect(await transport.handOver(outgoing(LETTERS))).to.deep.equal({ came: 'deferred', reason: 'connection' })
    }
  })

  it('14 38: a server that refuses the recipient has answered: no other is asked', async () => {
    const first = await serverThat((line) => (line.startsWith('RCPT') ? '550 5.1.1 no such user' : undefined))
    const second = await serverThat()
    const refused = await transportTo([first, second]).handOver(outgoing())
    expect(refused).to.deep.equal({ came: 'bounced', reason: 'no_mailbox', reply: '550 5.1.1' })
    expect(second.lines).to.deep.equal([])
  })

  it('14 39: what was under way when connections were lost is not sent again by itself', async () => {
    const server = await serverThat((line) => (line === '.' ? 'silence' : undefined))
    const transport = transportTo([server])
    const underWay = ['a', 'b', 'c'].map((name) => transport.handOver(outgoing(`${name}@shop.example`)))
    await until(() => server.messages.length === 3)
    server.hangUp()
    expect((await Promise.all(underWay)).map(({ came }) => came)).to.deep.equal(['doubt', 'doubt', 'doubt'])
    expect(server.messages).to.have.length(3)
  })

  it('14 40: after the server closed an idle connection, the next mail arrives once', async () => {
    let closes = false
    const server = await serverThat((line) => (closes && line.startsWith('MAIL') ? 'close' : undefined))
    const transport = transportTo([server])
    await transport.handOver(outgoing())
    server.hangUp()
    expect(await transport.handOver(outgoing())).to.include({ came: 'accepted' })
    expect(server.messages).to.have.length(2)
    closes = true
    expect(await transport.handOver(outgoing())).to.include({ came: 'ours', reason: 'connection' })
    expect(server.messages).to.have.length(2)
  })

  it('14 30, 41: a connection that is lost at a recipient defers that mail alone, after the other servers', async () => {
    for (const at of ['RCPT', 'DATA'])
      for (const what of ['close', 'silence']) {
        const loses = () => serverThat((line) => (line.startsWith(at) ? what : undefined))
        const [first, second, third] = [await loses(), await loses(), await serverThat()]
        const lost = await transportTo([first, second], { reply: 50 }).handOver(outgoing())
        expect(lost, `${at} ${what}`).to.deep.equal({ came: 'deferred', reason: 'connection' })
        expect(second.lines, 'the second was tried').to.include(at === 'RCPT' ? 'RCPT TO:<ann@shop.example>' : at)
        const taken = await transportTo([first, third], { reply: 50 }).handOver(outgoing())
        expect(taken, `${at} ${what}`).to.include({ came: 'accepted' })
      }
  })

  it('14 31: a refused log-in is tried once for each connection, and leaves none open', async () => {
    const server = await serverThat((line) => (line.startsWith('AUTH') ? '535 5.7.8 wrong password' : undefined))
    const url = server.url.replace('//', '//shop:secret@')
    const transport = transportTo([{ url }], { connections: 4 })
    const all = await Promise.all(Array.from({ length: 40 }, () => transport.handOver(outgoing())))
    expect(new Set(all.map((one) => JSON.stringify(one)))).to.deep.equal(
      new Set(['{"came":"ours","reason":"login","reply":"535 5.7.8"}']),
    )
    expect(server.lines.filter((line) => line.startsWith('AUTH'))).to.have.length(4)
    await until(() => server.open === 0)
  })

  it('hands over nothing in the clear where TLS is not offered, and says no password, unless the operator wants that', async () => {
    const secret = (url: string, tls: string) => ({ url: url.replace('//', '//shop:secret@').replace('tls=no&', tls) })
    for (const tls of ['', 'tls=yes&', 'tls=unchecked&'])
      for (const hello of ['250-mail.example\r\n250 AUTH PLAIN', '250 fine', '502 no EHLO']) {
        const server = await serverThat((line) => (line.startsWith('EHLO') ? hello : undefined))
        const result = await transportTo([secret(server.url, tls)]).handOver(outgoing())
        expect(result, `${tls} ${hello}`).to.deep.equal({ came: 'ours', reason: 'no_tls' })
        await until(() => server.open === 0)
        expect(server.lines.filter((line) => !/^(EHLO|HELO) /.test(line))).to.deep.equal(['QUIT'])
      }
    const server = await serverThat((line) =>
      line.startsWith('EHLO') ? '250-mail.example\r\n250 AUTH PLAIN' : line.startsWith('AUTH') ? '235 go' : undefined,
    )
    expect(await transportTo([secret(server.url, 'tls=no&')]).handOver(outgoing())).to.include({ came: 'accepted' })
  })

  it('hands over nothing where the server offers TLS and then refuses it', async () => {
    const server = await serverThat((line) =>
      line.startsWith('EHLO')
        ? '250-mail.example\r\n250 STARTTLS'
        : line.startsWith('STARTTLS')
          ? '454 TLS not available'
          : undefined,
    )
    const result = await transportTo([{ url: server.url.replace('tls=no&', '') }]).handOver(outgoing())
    expect(result).to.deep.equal({ came: 'ours', reason: 'no_tls', reply: '454' })
    expect(server.messages).to.deep.equal([])
    expect(server.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).to.deep.equal([])
  })

  it('14 42: the reply to the final dot is waited for 10 minutes; without one the mail is in doubt', async () => {
    expect(BOUNDS.reply).to.equal(10 * 60_000)
    const server = await serverThat((line) => (line === '.' ? 'silence' : undefined))
    const result = await transportTo([server], { reply: 50 }).handOver(outgoing())
    expect(result).to.deep.equal({ came: 'doubt', reason: 'no_reply' })
  })

  it('14 41: 421 is about the connection: the mail is not refused', async () => {
    const server = await serverThat((line) => (line.startsWith('RCPT') ? '421 4.3.2 too busy' : undefined))
    expect(await transportTo([server]).handOver(outgoing())).to.include({ came: 'ours', reason: 'server_busy' })
  })

  it('14 30, 41: 421 to a recipient or a text may be about that mail alone, and 421 before them is not', async () => {
    for (const at of ['EHLO', 'MAIL', 'RCPT', 'DATA', '.']) {
      const busy = () => serverThat((line) => (line.startsWith(at) ? '421 4.3.2 too busy|close' : undefined))
      const [server, other, down] = [await busy(), await serverThat(), await serverThat()]
      await down.stop()
      const named = { came: 'ours', reason: 'server_busy', reply: '421 4.3.2', atRecipient: true }
      const expected = at === 'EHLO' || at === 'MAIL' ? undefined : named
      const met = await transportTo([server]).handOver(outgoing())
      if (expected) expect(met, at).to.deep.equal(expected)
      else expect(met, at).to.include({ came: 'ours' }).and.not.to.have.property('atRecipient')
      const beside = await transportTo([server, down]).handOver(outgoing())
      expect('atRecipient' in beside, `${at}, beside a server that is down`).to.equal(expected !== undefined)
      expect(await transportTo([server, other]).handOver(outgoing()), at).to.include({ came: 'accepted' })
    }
  })

  it('14 30, 41: a server that refuses a mail and closes the connection holds up no other mail', async () => {
    for (const [said, came] of [
      ['451 4.2.0 later|close', 'deferred'],
      ['454 4.7.1 relay access denied|close', 'deferred'],
      ['550 5.1.1 no such user|close', 'bounced'],
    ] as const)
      for (const at of ['RCPT', 'DATA', '.']) {
        const server = await serverThat((line, connection) =>
          connection === 0 && line.startsWith(at) ? said : undefined,
        )
        const transport = transportTo([server], { connections: 1 })
        expect(await transport.handOver(outgoing()), `${said} at ${at}`).to.include({ came })
        expect(await transport.handOver(outgoing('bob@shop.example')), said).to.include({ came: 'accepted' })
      }
  })

  it('14 51: a quoted local part with an @ goes to exactly that mailbox', async () => {
    const server = await serverThat()
    await transportTo([server]).handOver(outgoing('"a@b"@shop.example'))
    expect(server.lines.filter((line) => line.startsWith('RCPT'))).to.deep.equal(['RCPT TO:<"a@b"@shop.example>'])
    expect(server.messages[0]).to.match(/^To: .*<"a@b"@shop\.example>$/m)
  })

  it('gives back what waits for a connection when it begins nothing any more', async () => {
    const server = await serverThat((line) => (line === '.' ? 'silence' : undefined))
    const transport = transportTo([server], { connections: 1 })
    const first = transport.handOver(outgoing())
    await until(() => server.messages.length === 1)
    const second = transport.handOver(outgoing('b@shop.example'))
    transport.drain()
    expect(await second).to.deep.equal({ came: 'ours', reason: 'stopping' })
    await transport.close()
    expect(await first).to.include({ came: 'doubt' })
  })
})
