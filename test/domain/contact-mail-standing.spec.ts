import { expect } from 'chai'
import { contact } from '../../domain/contacts/contact/model.ts'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { reasonAgainst } from '../../domain/contacts/public.ts'
import { emptyPersonalOf, recordOf } from '../../domain/kernel/model/fold.ts'
import type { DomainEvent } from '../../domain/kernel/values/event.ts'
import { AT, ask, given, ROOT, stateAfter } from '../support/decider.ts'

const NOBODY = emptyPersonalOf(contact)
const personal = { ...NOBODY, email_address: 'ada@example.com' }
const CREATED = [
  { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal } },
  { type: 'ContactIdentified', data: {} },
]
const UNSUBSCRIBED = { type: 'ContactUnsubscribed', data: {} }
const suppressed = (reason: string) => ({
  type: 'ContactEmailSuppressed',
  data: { email_suppression_reason: reason },
})
const softBounced = (count: number, since: string) => ({
  type: 'ContactSoftBounced',
  data: { soft_bounces: { count, since } },
})
const addressed = (email_address: string) => ({
  type: 'ContactDetailsChanged',
  data: { changed: ['email_address'], personal: { ...personal, email_address } },
})
const day = (n: number): string => new Date(Date.UTC(2026, 2, n)).toISOString()

const recordAfter = (events: readonly DomainEvent[]) =>
  recordOf(contact)(stateAfter(contacts, events).documents.contact!.get(ROOT)!)
const after = (...events: readonly DomainEvent[]) => recordAfter([...CREATED, ...events])
const against = (...events: readonly DomainEvent[]) => ({
  owed: reasonAgainst(after(...events), 'owed'),
  marketing: reasonAgainst(after(...events), 'marketing'),
})

describe('Whether a contact gets mail', () => {
  it('14 1: owed mail goes to an unsubscribed contact and one who complained, marketing does not', () => {
    expect(against()).to.deep.equal({ owed: undefined, marketing: undefined })
    expect(against(UNSUBSCRIBED)).to.deep.equal({ owed: undefined, marketing: 'unsubscribed' })
    expect(against(suppressed('complained'))).to.deep.equal({ owed: undefined, marketing: 'suppressed' })
    expect(against(suppressed('bounced'))).to.deep.equal({ owed: 'suppressed', marketing: 'suppressed' })
    const deleted = { type: 'ContactDeleted', data: {} }
    expect(against(deleted)).to.deep.equal({ owed: 'deleted', marketing: 'deleted' })
  })

  it('14 19: an unconfirmed contact gets no marketing until it has confirmed', () => {
    const asked = { type: 'ContactConfirmationAsked', data: {} }
    expect(against(asked)).to.deep.equal({ owed: undefined, marketing: 'unconfirmed' })
    expect(against(asked, { type: 'ContactConfirmed', data: {} }).marketing).to.equal(undefined)
    given(contacts, ...CREATED)
      .when(ask('askConfirmation'))
      .then(asked)
    given(contacts, ...CREATED)
      .when(ask('confirm'))
      .thenNothing()
  })

  it('14 20: a contact is asked by mail at most once in 10 minutes and three times in a day', () => {
    const wanted = { form_submission_id: 7 }
    const asked = { type: 'ContactAskedByMail', data: wanted }
    /** Asks again some minutes after so many times. */
    const again = (times: number, minutes: number) => {
      const at = new Date(Date.parse(AT) + minutes * 60_000).toISOString()
      const before = Array.from({ length: times }, () => asked)
      return given(contacts, ...CREATED, ...before).when({ ...ask('askByMail', wanted), at })
    }
    again(0, 0).then(asked)
    again(1, 9).thenNothing()
    again(1, 10).then(asked)
    again(2, 10).then(asked)
    again(3, 23 * 60).thenNothing()
    again(3, 24 * 60).then(asked)
  })

  it('14 4: changes of fields, attributes and tags end neither an unsubscription nor a suppression', () => {
    const held = [...CREATED, UNSUBSCRIBED, suppressed('bounced')]
    for (const command of [
      ask('change', { first_name: 'Ada', email_address: 'ada@example.com' }),
      ask('change', { custom_attributes: { plan: 'gold' } }),
      ask('tag', { tag_ids: [5] }, { ids: [9] }),
      ask('optIn', { page_id: 3, show_page_step_id: null, funnel_id: null }),
    ]) {
      const decision = contacts.decide(stateAfter(contacts, held), command, undefined)
      const events = decision as readonly DomainEvent[]
      expect(events).to.have.length.above(0)
      const left = recordAfter([...held, ...events])
      expect(left).to.include({ email_suppression_reason: 'bounced', unsubscribed_at: AT })
    }
  })

  it('14 5: the person comes back, with what it came by on record', () => {
    const by = { by: 'opt_in', form_submission_id: 8, page_id: 3 }
    given(contacts, ...CREATED, UNSUBSCRIBED)
      .when(ask('resubscribe', by))
      .then({ type: 'ContactResubscribed', data: by })
    expect(after(UNSUBSCRIBED, { type: 'ContactResubscribed', data: by }).unsubscribed_at).to.equal(null)
    given(contacts, ...CREATED)
      .when(ask('resubscribe', by))
      .thenNothing()
  })

  it('14 6: a bounce belongs to the address, an unsubscription and a complaint to the person', () => {
    const change = ask('change', { email_address: 'new@example.com' })
    given(contacts, ...CREATED, UNSUBSCRIBED, suppressed('bounced'))
      .when(change)
      .then(addressed('new@example.com'), {
        type: 'ContactSuppressionLifted',
        data: { email_suppression_reason: null, soft_bounces: null },
      })
    given(contacts, ...CREATED, softBounced(3, day(1)), suppressed('complained'))
      .when(change)
      .then(addressed('new@example.com'), {
        type: 'ContactSuppressionLifted',
        data: { email_suppression_reason: 'complained', soft_bounces: null },
      })
    given(contacts, ...CREATED, suppressed('complained'))
      .when(change)
      .then(addressed('new@example.com'))
    given(contacts, ...CREATED, suppressed('bounced'))
      .when(ask('change', { email_address: 'ADA@example.com' }))
      .then(addressed('ADA@example.com'))
  })

  it('14 7: the stronger reason wins, whatever the order', () => {
    const when = (held: string, reason: string) =>
      given(contacts, ...CREATED, suppressed(held)).when(ask('suppress', { reason }))
    when('bounced', 'complained').then(suppressed('complained'))
    when('complained', 'bounced').thenNothing()
    when('bounced', 'bounced').thenNothing()
    given(contacts, ...CREATED, softBounced(2, day(1)))
      .when(ask('suppress', { reason: 'bounced' }))
      .then(suppressed('bounced'))
  })

  it('leaves with an address what was known of it, and takes along what the person has said', () => {
    const left = (known: object) => ({
      type: 'ContactAddressLeft',
      data: { digest: 'd1', reason: null, unsubscribed: false, soft_bounces: null, ...known },
    })
    const change = ask('change', { email_address: 'new@example.com' })
    given(contacts, ...CREATED, UNSUBSCRIBED, suppressed('bounced'))
      .when(change, { left: 'd1' })
      .then(addressed('new@example.com'), left({ reason: 'bounced', unsubscribed: true }), {
        type: 'ContactSuppressionLifted',
        data: { email_suppression_reason: null, soft_bounces: null },
      })
    given(contacts, ...CREATED, suppressed('complained'))
      .when(change, { left: 'd1' })
      .then(addressed('new@example.com'), left({ reason: 'complained' }))
    given(contacts, ...CREATED)
      .when(change, { left: 'd1' })
      .then(addressed('new@example.com'))
  })

  it('takes what is known of the address that it gets', () => {
    const known = { reason: 'bounced', unsubscribed_at: AT, soft_bounces: null }
    given(contacts)
      .when(ask('create', { uuid: 'u', email_address: 'ada@example.com' }), { known })
      .then(CREATED[0]!, ...[{ type: 'ContactIdentified', data: {} }, suppressed('bounced'), UNSUBSCRIBED])
    given(contacts, ...CREATED, suppressed('complained'))
      .when(ask('change', { email_address: 'new@example.com' }), { known })
      .then(addressed('new@example.com'), UNSUBSCRIBED)
    given(contacts, ...CREATED, suppressed('bounced'))
      .when(ask('change', { email_address: 'new@example.com' }), { known })
      .then(
        addressed('new@example.com'),
        { type: 'ContactSuppressionLifted', data: { email_suppression_reason: null, soft_bounces: null } },
        suppressed('bounced'),
        UNSUBSCRIBED,
      )
  })

  it('hears nothing of an address that it has had before', () => {
    const changed = [...CREATED, addressed('new@example.com')]
    for (const [act, wanted] of [
      ['suppress', { reason: 'bounced' }],
      ['unsubscribe', {}],
      ['softBounce', { soft_bounces: { count: 1, since: day(1) } }],
    ] as const) {
      given(contacts, ...changed)
        .when(ask(act, { ...wanted, email_since: null }))
        .thenNothing()
      expect(contacts.decide(stateAfter(contacts, changed), ask(act, { ...wanted, email_since: AT }), undefined))
        .to.be.an('array')
        .with.length(1)
    }
  })

  it('comes back by the word of the person also where a former contact with the address has unsubscribed', () => {
    const by = { by: 'preferences', form_submission_id: null, page_id: null }
    given(contacts, ...CREATED)
      .when(ask('resubscribe', by), { known: { reason: null, unsubscribed_at: AT, soft_bounces: null } })
      .then({ type: 'ContactResubscribed', data: by })
  })
})
