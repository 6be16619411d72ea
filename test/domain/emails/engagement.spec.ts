import { mailing } from '../../../domain/emails/mailing/model.ts'
import { deliveryIdAt } from '../../../domain/emails/mailing/outcomes.ts'
import { mailings } from '../../../domain/emails/mailing/rules.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { ask, given, ROOT } from '../../support/decider.ts'
import { mailingBegun } from './mailing-begun.ts'

const ID = deliveryIdAt(ROOT, 0)
const on = { child: 'deliveries', id: ID }

const settled = (outcome: string) => ({
  type: 'DeliveriesSettled',
  data: { outcomes: [{ delivery_id: ID, outcome }] },
})
const purpose = { broadcast_id: 1 }
const fetched = (link: number | null, machine = false) =>
  mailing.event.MailFetched({ delivery_id: ID, link, machine, ...(machine && { purpose }) })
/** The first fetches of a mail, as they were judged. */
const judged = (opens: number, clicks: number, machines: number) =>
  mailing.event.FetchesJudged({
    ...{ delivery_id: ID, opens, clicks, machines, purpose },
    ...(opens + clicks > 0 && { first_open: true }),
    ...(clicks > 0 && { first_click: true }),
  })
const when = (...events: readonly DomainEvent[]) => given(mailings, mailingBegun(), ...events)

describe('fetches of mails', () => {
  it('14 64: are those of machines when the request says so, or comes at once', () => {
    when()
      .when(ask('fetch', { link: null, machine: true }, on))
      .then(fetched(null, true))
    when()
      .when(ask('fetch', { link: 2, machine: false }, on))
      .then(fetched(2))
    when(settled('sent'))
      .when(ask('fetch', { link: 2, machine: false }, on))
      .then(fetched(2, true))
  })

  it('14 64: are those of machines when many links are fetched within seconds', () => {
    when(fetched(null), fetched(0), fetched(1), fetched(2))
      .when(ask('judge', {}, on))
      .then(judged(0, 0, 4))
    when(fetched(null), fetched(0), fetched(0), fetched(0))
      .when(ask('judge', {}, on))
      .then(judged(1, 3, 0))
    when(fetched(0), fetched(1))
      .when(ask('judge', {}, on))
      .then(judged(0, 2, 0))
  })

  it('are those of a machine that opens all of a short mail', () => {
    const page = mailing.event.MailFetched({ delivery_id: ID, link: null, machine: false, sign: 'page' })
    const probe = (link: number | null) =>
      mailing.event.MailFetched({ delivery_id: ID, link, machine: true, sign: 'probe', purpose })
    const ALL: readonly (readonly [
      fetches: readonly DomainEvent[],
      opens: number,
      clicks: number,
      machines: number,
    ])[] = [
      [[probe(0), fetched(0)], 0, 0, 1],
      [[fetched(0), fetched(null), probe(0)], 0, 0, 2],
      [[fetched(null), probe(null)], 0, 0, 1],
      [[page, fetched(0)], 0, 0, 1],
      [[fetched(0), page, fetched(null)], 0, 0, 2],
      [[fetched(null), page], 1, 0, 0],
      [[fetched(0), fetched(null, true), fetched(0, true)], 0, 1, 0],
    ]
    for (const [fetches, ...counts] of ALL)
      when(...fetches)
        .when(ask('judge', {}, on))
        .then(judged(...counts))
    when(page)
      .when(ask('judge', {}, on))
      .thenNothing()
    when()
      .when(ask('fetch', { link: null, machine: false, sign: 'page' }, on))
      .then(page)
    when(settled('sent'))
      .when(ask('fetch', { link: 2, machine: true, sign: 'probe' }, on))
      .then(probe(2))
    when(...Array.from({ length: 100 }, () => page))
      .when(ask('fetch', { link: null, machine: false, sign: 'page' }, on))
      .thenNothing()
  })

  it('14 44: of a person settle a doubt, and those of machines do not', () => {
    const sent = mailing.event.DoubtSettled({ delivery_id: ID, outcome: 'sent', purpose })
    when(settled('in_doubt'), fetched(null))
      .when(ask('judge', {}, on))
      .then(judged(1, 0, 0), sent)
    when(settled('in_doubt'), fetched(0), fetched(1), fetched(2))
      .when(ask('judge', {}, on))
      .then(judged(0, 0, 3))
  })

  it('tell the first time that a mail was opened, and that a link of it was followed', () => {
    when(fetched(null), judged(1, 0, 0), fetched(null), fetched(0))
      .when(ask('judge', {}, on))
      .then(
        mailing.event.FetchesJudged({
          ...{ delivery_id: ID, opens: 1, clicks: 1, machines: 0, first_click: true as const, purpose },
        }),
      )
    when(fetched(0), judged(0, 1, 0), fetched(0))
      .when(ask('judge', {}, on))
      .then(mailing.event.FetchesJudged({ delivery_id: ID, opens: 0, clicks: 1, machines: 0, purpose }))
  })

  it('are judged once, and a hundred of a mail are recorded', () => {
    when()
      .when(ask('judge', {}, on))
      .thenNothing()
    when(fetched(0), judged(0, 1, 0))
      .when(ask('judge', {}, on))
      .thenNothing()
    const many = Array.from({ length: 100 }, (_, n) => fetched(n % 2, n % 3 === 0))
    when(...many)
      .when(ask('fetch', { link: 0, machine: false }, on))
      .thenNothing()
  })
})
