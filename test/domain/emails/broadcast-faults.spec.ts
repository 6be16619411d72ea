import { expect } from 'chai'
import {
  broadcastsCountOutcomes,
  broadcastsNoticeFaults,
  broadcastsPauseForReports,
} from '../../../domain/emails/broadcast/policies.ts'
import { mailing } from '../../../domain/emails/mailing/model.ts'
import type { FactReader } from '../../../domain/kernel/decide/command.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { AT } from '../../support/decider.ts'
import { unbound } from '../../support/unbound.ts'

const { event } = mailing

const recorded = (happened: { readonly type: string; readonly data: object }) =>
  ({ ...happened, stream: 'emails/mailing-21', metadata: { at: AT } }) as unknown as RecordedEvent

const readerOf = (one: Document, deliveries: readonly Document[] = []): FactReader =>
  unbound({
    get: () => one,
    getMany: () => [one],
    find: () => [...deliveries],
  })

const minutesAgo = (minutes: number) => new Date(Date.parse(AT) - minutes * 60_000).toISOString()

describe('mailings of a broadcast', () => {
  const paused = recorded(event.MailingPaused({ reason: 'connection', until: AT }))
  const react = async (policy: typeof broadcastsNoticeFaults, happened: RecordedEvent, read: FactReader) =>
    (await policy.react(happened, read, () => 0)).map((one) =>
      'command' in one ? [one.id, one.command.type, one.command.wanted] : one,
    )

  it('14 31: a fault of ours makes the broadcast unhealthy after an hour, not before; nobody has an outcome', async () => {
    const mailingSince = (minutes: number) =>
      readerOf({ id: 21, cause: 'broadcast-5-0', paused_since: minutesAgo(minutes) })
    expect(await react(broadcastsNoticeFaults, paused, mailingSince(59))).to.deep.equal([])
    expect(await react(broadcastsNoticeFaults, paused, mailingSince(61))).to.deep.equal([
      [5, 'sicken', { reason: 'The mail server cannot be reached' }],
    ])
    const resumed = recorded(event.MailingResumed({}))
    expect(await react(broadcastsNoticeFaults, resumed, mailingSince(61))).to.deep.equal([[5, 'recover', {}]])
  })

  it('tell of a fault at once that does not pass by itself, in a sentence', async () => {
    const now = readerOf({ id: 21, cause: 'broadcast-5-0', paused_since: AT })
    for (const [reason, sentence] of [
      ['login', /refuses the log-in/],
      ['no_tls', /offers no TLS.*tls=no/],
      ['relay', /passes nothing on/],
      ['refused_all', /several recipients in a row/],
    ] as const) {
      const [asked] = await react(broadcastsNoticeFaults, recorded(event.MailingPaused({ reason, until: AT })), now)
      expect(JSON.stringify(asked)).to.match(sentence)
    }
  })

  it('pause it when mails come back for what is about us: five, and a tenth of those that went out', async () => {
    const reported = recorded(
      event.MailReturned({ delivery_id: 21_001, returned: 'refused', status: '5.7.1', fault: 'listed' }),
    )
    const asked = (returned: number, sent: number) => {
      const mail = (index: number, more: object) => ({ id: 21_000 + index, status: 'sent', returned: null, ...more })
      const back = { status: 'failed', returned: 'refused', reason: 'listed' }
      const mails = Array.from({ length: returned + sent }, (_, index) => mail(index, index < returned ? back : {}))
      return react(
        broadcastsPauseForReports,
        reported,
        readerOf({ id: 5, cause: 'broadcast-5-0', status: 'sending' }, mails as Document[]),
      )
    }
    expect(await asked(4, 0)).to.deep.equal([])
    expect(await asked(5, 46)).to.deep.equal([])
    expect(JSON.stringify(await asked(5, 45)))
      .to.contain('"pause"')
      .and.contain('Servers refuse the address')
  })

  it('concern no broadcast when they are of something else', async () => {
    const other = readerOf({ id: 21, cause: 'order-5', paused_since: minutesAgo(90) })
    expect(await react(broadcastsNoticeFaults, paused, other)).to.deep.equal([])
  })

  it('14 24: each kind of outcome has its own count', async () => {
    const statuses = ['kept', 'bounced', 'kept', 'unsubscribed'].map((status, index) => ({ id: index + 1, status }))
    const read = readerOf({ id: 21, cause: 'broadcast-5-0' }, statuses)
    expect(await react(broadcastsCountOutcomes, recorded(event.MailingCompleted({})), read)).to.deep.equal([
      [5, 'settle', { mailing_id: 21, outcomes: { kept: 2, bounced: 1, unsubscribed: 1 } }],
    ])
  })
})
