import { expect } from 'chai'
import fc from 'fast-check'
import { readReport } from '../../../infra/mail-intake/report.ts'
import { seedOfRun } from '../../support/random.ts'
import { autoReply, complaint, deliveryReport } from './mails.ts'

const FAILED = 'Final-Recipient: rfc822; ada@far.example\r\nAction: failed'

describe('Reports about mails', () => {
  it('say which recipient failed, with what status and answer', async () => {
    const mail = deliveryReport(
      `${FAILED}\r\nStatus: 5.1.1 (bad mailbox)\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n unknown`,
    )
    expect(await readReport(mail)).to.deep.equal({
      kind: 'delivery',
      recipients: [
        { addresses: ['ada@far.example'], action: 'failed', status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 unknown' },
      ],
    })
  })

  it('take the status out of the answer where the report has none of its own', async () => {
    const statusOf = async (fields: string) => {
      const read = await readReport(deliveryReport(`${FAILED}\r\n${fields}`))
      return read.kind === 'delivery' ? read.recipients[0]?.status : undefined
    }
    expect(await statusOf('Diagnostic-Code: smtp; 550-5.7.26 not authenticated')).to.equal('5.7.26')
    expect(await statusOf('Diagnostic-Code: smtp; 550 mailbox unavailable')).to.equal(null)
    expect(await statusOf('Status: 5.0.0\r\nDiagnostic-Code: smtp; 550 5.7.1 No such user, says a filter')).to.equal(
      '5.7.1',
    )
    expect(await statusOf('Status: 5.0.0\r\nDiagnostic-Code: smtp; 550 5.1.1 Unknown')).to.equal('5.1.1')
    expect(await statusOf('Status: 5.0.0\r\nDiagnostic-Code: smtp; 550 Unrouteable address')).to.equal('5.0.0')
    expect(await statusOf('Status: 5.2.2\r\nDiagnostic-Code: smtp; 550 No such user')).to.equal('5.2.2')
  })

  it('name the recipient by the last address and the first', async () => {
    const addressesOf = async (fields: string) => {
      const read = await readReport(deliveryReport(`${fields}\r\nAction: failed`))
      return read.kind === 'delivery' ? read.recipients[0]?.addresses : undefined
    }
    const both = 'Original-Recipient: rfc822;ada@near.example\r\nFinal-Recipient: RFC822; <Ada@far.example>'
    expect(await addressesOf(both)).to.deep.equal(['Ada@far.example', 'ada@near.example'])
    const letters = 'Original-Recipient: utf-8; j\\x{FC}rgen@far.example\r\nFinal-Recipient: utf-8; jürgen@far.example'
    expect(await addressesOf(letters)).to.deep.equal(['jürgen@far.example', 'jürgen@far.example'])
    expect(await addressesOf('Final-Recipient: utf-8; a\\x{110000}@far.example')).to.deep.equal([
      'a\\x{110000}@far.example',
    ])
    expect(await addressesOf('Final-Recipient: x400; nonsense')).to.deep.equal([])
  })

  it('14 68: keep actions that are no bounces apart, and a missing status missing', async () => {
    const actions = ['delayed', 'relayed', 'delivered', 'expanded', 'Failed (permanent)']
    const mail = deliveryReport(
      ...actions.map((action) => `Final-Recipient: rfc822; a@far.example\r\nAction: ${action}`),
    )
    expect(await readReport(mail)).to.deep.equal({
      kind: 'delivery',
      recipients: ['delayed', 'relayed', 'delivered', 'expanded', 'failed'].map((action) => ({
        addresses: ['a@far.example'],
        action,
        status: null,
        diagnostic: null,
      })),
    })
  })

  it('14 69: report nothing when they are automatic replies', async () => {
    expect(await readReport(autoReply())).to.deep.equal({ kind: 'none' })
  })

  it('14 72: name the mails that somebody complained about, in their order', async () => {
    expect(await readReport(complaint('abuse', 'first@list.example', 'own.123@shop.example'))).to.deep.equal({
      kind: 'complaint',
      type: 'abuse',
      messageIds: ['first@list.example', 'own.123@shop.example'],
    })
    expect(await readReport(complaint('not-spam'))).to.deep.equal({
      kind: 'complaint',
      type: 'not-spam',
      messageIds: [],
    })
  })

  it('are read as far as they came when they were cut', async () => {
    const mail = deliveryReport(`${FAILED}\r\nStatus: 5.1.1`)
    const cut = mail.subarray(0, mail.indexOf('Message-ID') + 8)
    expect(await readReport(cut)).to.deep.include({ kind: 'delivery' })
  })

  it('14 74: are bounded in parts and depth', async () => {
    const deep = Array.from(
      { length: 2000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    expect(await readReport(Buffer.from(deep.join('')))).to.deep.equal({ kind: 'none' })
    const headers = Buffer.from(`${'X-Long: y\r\n'.repeat(20_000)}\r\n`)
    expect(await readReport(headers)).to.deep.equal({ kind: 'none' })
    const many = deliveryReport(...Array.from({ length: 500 }, () => FAILED))
    const read = await readReport(many)
    expect(read.kind === 'delivery' && read.recipients.length).to.equal(99)
  })

  it('never fail, whatever they are', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.nat(), async (noise, at) => {
        const mail = deliveryReport(`${FAILED}\r\nStatus: 5.1.1`)
        const torn = Buffer.concat([mail.subarray(0, at % mail.length), noise, mail.subarray(at % mail.length)])
        expect((await readReport(torn)).kind).to.be.oneOf(['delivery', 'complaint', 'none'])
      }),
      { numRuns: 300, seed: seedOfRun() },
    ))
})
