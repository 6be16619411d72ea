import { expect } from 'chai'
import { mailingResource } from '../../../domain/emails/mailing/index.ts'
import { mailing } from '../../../domain/emails/mailing/model.ts'
import { deliveryIdAt } from '../../../domain/emails/mailing/outcomes.ts'
import { mailPublications } from '../../../domain/emails/mailing/publications.ts'
import { purposeOf } from '../../../domain/emails/mailing/purpose.ts'
import { mailings } from '../../../domain/emails/mailing/rules.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { ask, given, ROOT } from '../../support/decider.ts'
import { mailingBegun } from './mailing-begun.ts'

const { event } = mailing
const FIRST = deliveryIdAt(ROOT, 0)
const SECOND = deliveryIdAt(ROOT, 1)
const BROADCAST = { broadcast_id: 5 }
const STEP = { step_id: 7, contact_id: 11 }

/** Returns the keys that are published about a mail for an event. */
const keysFor = (happened: DomainEvent, deliveryId = FIRST): readonly string[] =>
  Object.entries(mailPublications)
    .filter(([, { on, when }]) => on.some((type) => type === happened.type) && (when?.(happened, deliveryId) ?? true))
    .map(([key]) => key)

const settled = (
  outcome: 'sent' | 'kept' | 'failed' | 'bounced' | 'in_doubt' | 'unsubscribed',
  purpose: object = BROADCAST,
) =>
  event.DeliveriesSettled({
    outcomes: [
      { delivery_id: FIRST, outcome },
      { delivery_id: SECOND, outcome: 'failed' },
    ],
    purpose,
  })
const returned = (what: string, was: 'sent' | 'failed' | 'bounced') =>
  event.MailReturned({ delivery_id: FIRST, returned: what, status: null, was, purpose: BROADCAST })
const judged = (opens: number, clicks: number, machines: number, more: object = {}) =>
  event.FetchesJudged({ delivery_id: FIRST, opens, clicks, machines, purpose: BROADCAST, ...more })

describe('what is published about mails', () => {
  it('follows from what became of each mail of an event', () => {
    expect(keysFor(settled('sent'))).to.deep.equal(['$email.sent'])
    expect(keysFor(settled('kept'))).to.deep.equal(['$email.sent'])
    expect(keysFor(settled('bounced'))).to.deep.equal(['$email.bounce'])
    for (const outcome of ['failed', 'in_doubt', 'unsubscribed'] as const)
      expect(keysFor(settled(outcome)), outcome).to.deep.equal([])
    expect(keysFor(settled('sent'), SECOND)).to.deep.equal([])
    expect(mailingResource.documents.fold.touched(settled('sent'), ROOT)).to.deep.equal([ROOT])
  })

  it('has a key of its own for mails of steps', () => {
    expect(keysFor(settled('sent', STEP))).to.deep.equal(['$email.sent', '$send_email_step.sent'])
    expect(keysFor(judged(1, 1, 0, { purpose: STEP }))).to.deep.equal([
      '$email.open',
      '$email.click',
      '$send_email_step.open',
      '$send_email_step.click',
    ])
  })

  it('covers mail that somebody is owed', () => {
    expect(keysFor(settled('sent', {}))).to.deep.equal(['$email.sent'])
    expect(keysFor(event.MailComplainedAbout({ delivery_id: FIRST, purpose: {} }))).to.deep.equal([
      '$email.spam_complaint',
    ])
  })

  it('14 64: is nothing for fetches by machines', () => {
    expect(keysFor(judged(0, 0, 4))).to.deep.equal([])
    expect(keysFor(judged(1, 0, 0, { first_open: true }))).to.deep.equal(['$email.open'])
    expect(keysFor(judged(0, 1, 0, { first_open: true, first_click: true }))).to.deep.equal([
      '$email.open',
      '$email.click',
    ])
    expect(keysFor(judged(0, 2, 0))).to.deep.equal(['$email.click'])
  })

  it('14 71: is one bounce for a mail, however often and by whom it is reported', () => {
    expect(keysFor(returned('later', 'sent'))).to.deep.equal(['$email.bounce'])
    expect(keysFor(returned('address', 'bounced'))).to.deep.equal([])
    expect(keysFor(returned('address', 'failed'))).to.deep.equal(['$email.bounce'])
    expect(keysFor(returned('refused', 'sent'))).to.deep.equal([])
  })

  it('14 75: is nothing about a mail to a user of the team', () => {
    expect(purposeOf({ kind: 'notify_step', cause: 'run-3-step-7', contact_ids: [] })).to.equal(undefined)
    const outcomes = [{ delivery_id: FIRST, outcome: 'bounced' as const }]
    expect(keysFor(event.DeliveriesSettled({ outcomes }))).to.deep.equal([])
  })

  it('14 71: leaves no trace of a report that came before', () => {
    const begun = mailingBegun({ cause: 'broadcast-5-0' })
    const bounce = returned('address', 'sent')
    given(mailings, begun, settled('sent'), bounce)
      .when(ask('comeBack', { returned: 'address', status: '5.1.1' }, { child: 'deliveries', id: FIRST }))
      .thenNothing()
  })
})
