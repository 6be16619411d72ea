import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import type { MailContent, Sender } from '../../../domain/emails/mailing/model.ts'
import { ok } from '../../support/client.ts'
import { authenticated, foldedAnew, headerNames, signaturesOf } from '../../support/received.ts'
import { rootDomain } from '../../support/records/emails.ts'
import { publishAlias, publishText } from '../../support/servers/name-server.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { begin, CONTENT, createContacts, settledOf, statusesOf } from './mailing-tenant.ts'

const SHY_TEXTS = {
  comma: 'Müller, Söhne & Co',
  quote: 'The "Mug" Shop',
  at: 'mugs@shop',
  emoji: 'Mugs 👩‍👩‍👧‍👦 & more',
}

describe('mails that are signed', () => {
  let service: TestService
  let tenant: Tenant
  let sink: Awaited<ReturnType<typeof startSink>>
  let domain: { readonly id: number; readonly name: string; readonly dkim_record: { readonly name: string } }

  const publish = (shown: Record<string, { name: string; value: string }>) => {
    for (const kind of ['dkim_record', 'spf_record', 'dmarc_record']) publishText(shown[kind]!.name, shown[kind]!.value)
  }

  before(async () => {
    sink = await startSink()
    service = await startTestService({ SMTP_URL: sink.url })
    tenant = await service.tenant()
    const created = await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/domains`, {
      emails_domain: { name: rootDomain() },
    })
    domain = created.body
    publish(created.body)
    ok(await tenant.api.post(`/emails/domains/${domain.id}/verify`))
  })

  after(() => sink.stop())

  let count = 0

  /** Sends one mail. @returns what arrived */
  const arriving = async (
    content: Partial<MailContent> = {},
    { sender = {}, contact = {} }: { sender?: Partial<Sender>; contact?: object } = {},
  ): Promise<Buffer> => {
    const address = `signed${++count}@sink.example`
    const ids = await createContacts(tenant, [address], contact)
    const more = {
      sender: { name: 'Shop', address: `news@${domain.name}`, ...sender },
      content: { ...CONTENT, ...content },
    }
    expect(statusesOf(await settledOf(service, await begin(tenant, ids, more)))).to.deep.equal(['sent'])
    return sink.arrived.find(({ to }) => to.includes(address))!.source
  }

  const expectSigned = async (source: Buffer | string) => {
    const [signature, ...others] = await signaturesOf(source)
    expect(others).to.deep.equal([])
    expect(signature).to.include({ result: 'pass', domain: domain.name })
    return signature!
  }

  it('14 13: signs List-Unsubscribe and List-Unsubscribe-Post, by the record that the API published', async () => {
    const { signed } = await expectSigned(await arriving())
    expect(signed).to.include.members(['list-unsubscribe', 'list-unsubscribe-post', 'from', 'subject', 'message-id'])
  })

  it('14 14: verifies behind a relay that folds the headers anew', async () => {
    const source = await arriving({
      subject: 'News, mugs, and all the other things; and what else there is for {{ x }}',
    })
    const folded = foldedAnew(source)
    expect(folded).to.match(/\r\nList-Unsubscribe:\r\n\t</)
    await expectSigned(folded)
    const changed = folded.replace('List-Unsubscribe-Post:', 'X-Else:')
    expect((await signaturesOf(changed))[0]?.result).not.to.equal('pass')
  })

  it('is authentic to a receiver by DKIM, SPF and DMARC, with the records that the API published and that of the operator', async () => {
    const { return_address_record: back } = ok(await tenant.api.get(`/emails/domains/${domain.id}`))
    await arriving()
    expect(sink.arrived.at(-1)!.from, 'without the record of the return path').to.equal(`news@${domain.name}`)
    publishAlias(back.name, back.value)
    ok(await tenant.api.post(`/emails/domains/${domain.id}/verify`))
    publishText(back.value, 'v=spf1 ip4:127.0.0.1 -all')
    const source = await arriving()
    const { from } = sink.arrived.at(-1)!
    expect(from.endsWith(`@${back.name}`)).to.equal(true)
    expect(await authenticated(source, from)).to.deep.equal({ dkim: ['pass'], spf: 'pass', dmarc: 'pass' })
    publishText(back.value, 'v=spf1 ip4:192.0.2.1 -all')
    expect(await authenticated(source, from), 'a relay').to.deep.equal({ dkim: ['pass'], spf: 'fail', dmarc: 'pass' })
    const forged = Buffer.from(source.toString('latin1').replace('Hello', 'Hullo'), 'latin1')
    expect(await authenticated(forged, from)).to.include({ spf: 'fail', dmarc: 'fail' })
  })

  it('a header that is added a second time ends the signature, one that is none of its own does not', async () => {
    const source = (await arriving()).toString('latin1')
    const authenticity = async (line: string) => (await signaturesOf(`${line}\r\n${source}`))[0]?.result
    for (const line of [
      ...['Subject: Another', 'Reply-To: evil@x.example', 'From: evil@x.example', 'To: evil@x.example'],
      ...['List-Unsubscribe: <https://x.example/>', 'Content-Type: text/html', 'Cc: evil@x.example'],
    ])
      expect(await authenticity(line), line).not.to.equal('pass')
    for (const line of ['Received: from a by b', 'X-Spam: no']) expect(await authenticity(line), line).to.equal('pass')
  })

  it('14 50: line breaks and NUL in names and subjects make no header', async () => {
    const plain = headerNames(await arriving())
    const hostile = 'a\r\nBcc: b@x.example\n\nX-Evil: 1\u0000'
    const source = await arriving(
      { subject: `{{ contact.first_name }} ${hostile}` },
      { sender: { name: hostile }, contact: { first_name: 'Ann\r\nBcc: c@x.example' } },
    )
    expect(headerNames(source)).to.deep.equal(plain)
    await expectSigned(source)
  })

  it('14 52: names of senders come back equal', async () => {
    for (const name of Object.values(SHY_TEXTS)) {
      const source = await arriving({}, { sender: { name } })
      const { from } = await simpleParser(source)
      expect(from?.value).to.deep.equal([{ name, address: `news@${domain.name}` }])
      await expectSigned(source)
    }
  })

  it('14 53: long subjects of Korean or of joined emoji come back equal, in encoded words that cut no character', async () => {
    const korean = '새로운 머그컵이 도착했습니다 '.repeat(14).trim().slice(0, 200)
    for (const subject of [korean, '👩‍👩‍👧‍👦'.repeat(12), `Mugs ${'é'.repeat(150)}`]) {
      const source = await arriving({ subject })
      expect((await simpleParser(source)).subject).to.equal(subject)
      const words = source.toString('latin1').match(/=\?utf-8\?[bq]\?[^?]*\?=/gi) ?? []
      expect(words).not.to.have.length(0)
      for (const word of words) {
        expect(word.length).to.be.at.most(75)
        const [, , kind, encoded = ''] = word.split('?')
        const bytes =
          kind?.toUpperCase() === 'B'
            ? Buffer.from(encoded, 'base64')
            : Buffer.from(
                encoded
                  .replace(/_/g, ' ')
                  .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`))),
                'latin1',
              )
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), word).not.to.throw()
      }
      await expectSigned(source)
    }
  })

  it('14 54: no line is over 998 octets, and lines that begin with a dot survive', async () => {
    const text_body = `.\n..\n.hidden\n${'x'.repeat(5000)}\n${'wörd '.repeat(900)}\nFrom here`
    const html_body = `<p>${'y'.repeat(5000)}</p>\n.\n<p>${'z '.repeat(3000)}</p>`
    const source = await arriving({ text_body, html_body, subject: `A${'b'.repeat(400)}` })
    const longest = Math.max(
      ...source
        .toString('latin1')
        .split('\r\n')
        .map((line) => line.length),
    )
    expect(longest).to.be.at.most(998)
    const { text = '', html } = await simpleParser(source)
    expect(text.replace(/\r\n/g, '\n')).to.contain(text_body)
    expect(html).to.contain('y'.repeat(5000))
    await expectSigned(source)
  })

  it('14 60: neither the headers nor what is in them name the machine or another recipient', async () => {
    const source = await arriving()
    const { messageId, to } = await simpleParser(source)
    expect(messageId).to.match(new RegExp(`^<[0-9a-f]+@${domain.name.replace('.', '\\.')}>$`))
    expect([to].flat()).to.have.length(1)
    expect(headerNames(source)).not.to.include.members(['cc', 'bcc', 'x-mailer', 'received'])
  })

  it('14 76: a rotated key signs once its record was seen, and mail that it did not sign stays valid', async () => {
    const former = await arriving()
    const { selector } = await expectSigned(former)
    const rotating = ok(await tenant.api.post(`/emails/domains/${domain.id}/rotate_dkim`))
    expect((await expectSigned(await arriving())).selector).to.equal(selector)
    publishText(rotating.dkim_record.name, rotating.dkim_record.value)
    ok(await tenant.api.post(`/emails/domains/${domain.id}/verify`))
    const next = await expectSigned(await arriving())
    expect(`${next.selector}._domainkey.${domain.name}`).to.equal(rotating.dkim_record.name)
    expect((await expectSigned(former)).selector).to.equal(selector)
  })
})
