import { suppressions } from '../../domain/contacts/suppression/rules.ts'
import { ask, given } from '../support/decider.ts'

const NOTED = { type: 'MailboxNoted', data: { digest: 'd1', contact_id: 5 } }
const by = 'key:1'
const suppressed = (reason: string, note: string | null = null) => ({
  type: 'MailboxSuppressed',
  data: { reason, note, by },
})
const softBounced = (count: number, since: string) => ({
  type: 'MailboxSoftBounced',
  data: { soft_bounces: { count, since } },
})
const UNSUBSCRIBED = { type: 'MailboxUnsubscribed', data: {} }
const LIFTED = { type: 'MailboxSuppressionLifted', data: { note: 'It works again', by } }
const day = (n: number): string => new Date(Date.UTC(2026, 2, n)).toISOString()

describe('What is known of a mailbox', () => {
  const first = (wanted: object) => given(suppressions).when(ask('create', { digest: 'd1', contact_id: 5, ...wanted }))
  const then = (...before: readonly { readonly type: string; readonly data: object }[]) => ({
    note: (wanted: object) => given(suppressions, ...(before as never[])).when(ask('note', wanted)),
    asked: (act: string, wanted: object = {}) =>
      given(suppressions, ...(before as never[])).when(ask(act, { note: 'It works again', ...wanted })),
  })

  it('begins with what became known first', () => {
    first({ reason: 'bounced' }).then(NOTED, suppressed('bounced'))
    first({ reason: 'manual', note: 'Asked by phone' }).then(NOTED, suppressed('manual', 'Asked by phone'))
    first({ unsubscribed: true }).then(NOTED, UNSUBSCRIBED)
    first({ note: 'It works again', lifts: true }).then(NOTED, LIFTED)
  })

  it('14 7: has the strongest reason, in whatever order they become known', () => {
    then(NOTED, suppressed('bounced')).note({ reason: 'complained' }).then(suppressed('complained'))
    then(NOTED, suppressed('complained')).note({ reason: 'bounced' }).thenNothing()
    then(NOTED, suppressed('bounced')).note({ reason: 'bounced', contact_id: 5 }).thenNothing()
    then(NOTED)
      .note({ contact_id: 6 })
      .then({ type: 'MailboxTakenOver', data: { contact_id: 6 } })
  })

  it('14 70: counts soft bounces: five in a row over at least seven days suppress; a delivery in between begins anew', () => {
    const bounce = (sent_at: string, delivered_since = false) => ({ soft_bounce: { sent_at, delivered_since } })
    then(NOTED)
      .note(bounce(day(1)))
      .then(softBounced(1, day(1)))
    then(NOTED, softBounced(4, day(1)))
      .note(bounce(day(7)))
      .then(softBounced(5, day(1)))
    then(NOTED, softBounced(4, day(1)))
      .note(bounce(day(8)))
      .then(softBounced(5, day(1)), suppressed('bounced'))
    then(NOTED, softBounced(4, day(1)))
      .note(bounce(day(8), true))
      .then(softBounced(1, day(8)))
    then(NOTED, softBounced(9, day(1)), suppressed('complained'))
      .note(bounce(day(20)))
      .then(softBounced(10, day(1)))
    // Those that a former version has counted with the contact count.
    then(NOTED)
      .note({ ...bounce(day(8)), soft_bounces: { count: 4, since: day(1) } })
      .then(softBounced(5, day(1)), suppressed('bounced'))
  })

  it('is lifted with a reason; whoever has unsubscribed comes back by their own word alone', () => {
    then(NOTED, suppressed('bounced')).asked('lift').then(LIFTED)
    then(NOTED, suppressed('complained'), UNSUBSCRIBED).asked('lift').then(LIFTED)
    then(NOTED, UNSUBSCRIBED)
      .asked('lift')
      .refuses('invalid', /their own word/)
    then(NOTED, UNSUBSCRIBED).asked('resubscribe').then({ type: 'MailboxResubscribed', data: {} })
    then(NOTED).asked('resubscribe').thenNothing()
  })
})
