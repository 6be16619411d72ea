import { mailing } from '../../../domain/emails/mailing/model.ts'
import { deliveryIdAt } from '../../../domain/emails/mailing/outcomes.ts'
import { mailings } from '../../../domain/emails/mailing/rules.ts'
import { ask, given, ROOT } from '../../support/decider.ts'
import { mailingBegun, wanted } from './mailing-begun.ts'

const { event } = mailing

/** What events about its mails say of it. */
const purpose = { broadcast_id: 1 }

const begun = mailingBegun()
const idOf = (index: number) => deliveryIdAt(ROOT, index)
const taken = (...places: readonly number[]) => event.DeliveriesTaken({ delivery_ids: places.map(idOf) })
const settled = (index: number, outcome: 'sent' | 'failed' | 'in_doubt' | 'canceled') =>
  ({ delivery_id: idOf(index), outcome }) as const
const outcomes = (...all: readonly ReturnType<typeof settled>[]) => event.DeliveriesSettled({ outcomes: all, purpose })

describe('a mailing', () => {
  it('freezes its text', () => {
    given(mailings).when(ask('create', wanted)).then(begun)
  })

  it('has at most 500 contacts, each once', () => {
    const many = Array.from({ length: 501 }, (_, index) => index + 1)
    given(mailings)
      .when(ask('create', { ...wanted, contact_ids: many }))
      .refuses('invalid', /at most 500/)
    given(mailings)
      .when(ask('create', { ...wanted, contact_ids: [1, 1] }))
      .refuses('invalid', /must be different/)
  })

  it('14 23: progress advances with outcomes: the intent comes first, and outcomes come with the next intent', () => {
    given(mailings, begun)
      .when(ask('record', { outcomes: [], take: [idOf(0), idOf(1)] }))
      .then(taken(0, 1))
    given(mailings, begun, taken(0, 1))
      .when(ask('record', { outcomes: [settled(0, 'sent')], take: [idOf(2)] }))
      .then(outcomes(settled(0, 'sent')), taken(2))
  })

  it('completes with its last outcome', () => {
    given(mailings, begun, taken(0, 1, 2))
      .when(ask('record', { outcomes: [0, 1, 2].map((index) => settled(index, 'sent')), take: [] }))
      .then(outcomes(settled(0, 'sent'), settled(1, 'sent'), settled(2, 'sent')), event.MailingCompleted({}))
  })

  it('keeps the first outcome of a delivery', () => {
    given(mailings, begun, taken(0), outcomes(settled(0, 'sent')))
      .when(ask('record', { outcomes: [settled(0, 'failed')], take: [idOf(0)] }))
      .thenNothing()
  })

  it('takes nothing that is taken, and nothing while it is held', () => {
    given(mailings, begun, taken(0))
      .when(ask('record', { outcomes: [], take: [idOf(0)] }))
      .thenNothing()
    given(mailings, begun, event.MailingHeld({ reason: 'older_copy' }))
      .when(ask('record', { outcomes: [], take: [idOf(0)] }))
      .thenNothing()
  })

  it('14 37: cancelling ends what was not begun, and leaves what is under way its outcome', () => {
    given(mailings, begun, taken(0))
      .when(ask('cancel'))
      .then(outcomes(settled(1, 'canceled'), settled(2, 'canceled')))
    given(mailings, begun, taken(0), outcomes(settled(1, 'canceled'), settled(2, 'canceled')))
      .when(ask('record', { outcomes: [settled(0, 'sent')], take: [] }))
      .then(outcomes(settled(0, 'sent')), event.MailingCompleted({}))
  })

  it('14 44: what is heard of a mail in doubt settles the doubt, once', () => {
    const inDoubt = [begun, taken(0), outcomes(settled(0, 'in_doubt'))]
    const heard = ask('settleDoubt', { outcome: 'sent' }, { child: 'deliveries', id: idOf(0) })
    const settlement = event.DoubtSettled({ delivery_id: idOf(0), outcome: 'sent', purpose })
    given(mailings, ...inDoubt)
      .when(heard)
      .then(settlement)
    given(mailings, ...inDoubt, settlement)
      .when(heard)
      .thenNothing()
  })

  it('sends again only what failed or is in doubt', () => {
    const again = ask('sendAgain', {}, { child: 'deliveries', id: idOf(0) })
    given(mailings, begun, taken(0), outcomes(settled(0, 'in_doubt')))
      .when(again)
      .then(event.DeliveryOrderedAgain({ delivery_id: idOf(0), was: 'in_doubt', purpose }))
    given(mailings, begun, taken(0), outcomes(settled(0, 'sent')))
      .when(again)
      .refuses('invalid', /failed or is in doubt/)
  })

  it('gets its sender once, when it began without one, and what is owed another one later', () => {
    const chosen = {
      sender: { name: 'Shop', address: 'no-reply@shop.example' },
      reply_to: null,
      domain: 'shop.example',
    }
    const without = mailingBegun({ sender: null, domain: null })
    given(mailings, without).when(ask('chooseSender', chosen)).then(event.MailingSenderChosen(chosen))
    for (const events of [[begun], [without, event.MailingSenderChosen(chosen)]])
      given(mailings, ...events)
        .when(ask('chooseSender', chosen))
        .thenNothing()
    const owed = mailingBegun({ class: 'owed', kind: 'order_confirmation' })
    given(mailings, owed).when(ask('chooseSender', chosen)).then(event.MailingSenderChosen(chosen))
  })

  it('releases only what is held', () => {
    given(mailings, begun, event.MailingHeld({ reason: 'older_copy' }))
      .when(ask('release'))
      .then(event.MailingReleased({}))
    given(mailings, begun)
      .when(ask('release'))
      .refuses('invalid', /not held/)
  })
})
