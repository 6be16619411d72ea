import { broadcast } from '../../../domain/emails/broadcast/model.ts'
import { broadcasts } from '../../../domain/emails/broadcast/rules.ts'
import { AT, ask, given } from '../../support/decider.ts'

const { event } = broadcast

const drafted = event.BroadcastDrafted({
  name: 'News',
  subject: 'News',
  from_email: 'news@shop.example',
  template_id: 3,
  topic_ids: [4],
  send_immediately: false,
  filter_id: 5,
  filter: {},
  contact_ids: [],
})
const content = {
  ...{ subject: 'News', preheadline: null, html_body: '<p>Hello</p>', text_body: null },
  ...{ footer: null, tracks_opens: true, tracks_clicks: true },
}
const sender = { name: 'Shop', address: 'news@shop.example' }
const readiness = { missing: [], content, sender, replyTo: null, zone: 'UTC' }
const facts = { readiness, senders: [], isComplete: true }
const ACTION = 9
const hoursAgo = (hours: number) => new Date(Date.parse(AT) - hours * 60 * 60_000).toISOString()
const due = (hours: number) =>
  event.SendActionAdded({ send_action_id: ACTION, scheduled_for: hoursAgo(hours), approved_by_id: 11 })
const begun = event.BroadcastSendingBegun({ content, sender, reply_to: null })
const added = event.SendActionAdded({ send_action_id: ACTION, scheduled_for: null, approved_by_id: 11 })
const resolved = event.BroadcastAudienceResolved({ send_action_id: ACTION, target_count: 700, mailing_ids: [21, 22] })
const settled = (mailing_id: number, outcomes: object) =>
  event.BroadcastPieceSettled({ send_action_id: ACTION, mailing_id, outcomes })
const ailing = event.BroadcastFellUnhealthy({ status_reason: 'connection' })

describe('a broadcast', () => {
  it('14 34: a process down at the due time sends after it is up, if less than 24 hours late', () => {
    given(broadcasts, drafted, due(23)).when(ask('begin'), facts).then(begun)
  })

  it('14 34: beyond that it is paused and says why, and goes on at a word', () => {
    const late = event.BroadcastPaused({
      status_reason: 'It was due more than 24 hours ago, when nothing could send it',
    })
    given(broadcasts, drafted, due(25)).when(ask('begin'), facts).then(late)
    given(broadcasts, drafted, due(25), late).when(ask('resume'), facts).then(begun)
  })

  it('14 28: falls unhealthy with the reason when something is missing at the due time', () => {
    const missing = ['From email is not usable as a sender', 'Topic ids must not name archived topics']
    given(broadcasts, drafted, due(0))
      .when(ask('begin'), { ...facts, readiness: { ...readiness, missing } })
      .then(event.BroadcastFellUnhealthy({ status_reason: missing.join('; ') }))
  })

  it('14 31: a fault that lasts makes it unhealthy, without an outcome for anybody; it recovers', () => {
    given(broadcasts, drafted, added, begun, resolved)
      .when(ask('sicken', { reason: 'connection' }))
      .then(ailing)
    given(broadcasts, drafted, added, begun, resolved, ailing).when(ask('recover')).then(event.BroadcastRecovered({}))
    given(broadcasts, drafted, due(0)).when(ask('recover')).thenNothing()
  })

  it('14 24: is complete when the outcomes of all its pieces are counted, each once', () => {
    const first = { kept: 490, unsubscribed: 10 }
    const wanted = { mailing_id: 21, outcomes: first }
    given(broadcasts, drafted, added, begun, resolved).when(ask('settle', wanted)).then(settled(21, first))
    given(broadcasts, drafted, added, begun, resolved, settled(21, first)).when(ask('settle', wanted)).thenNothing()
    given(broadcasts, drafted, added, begun, resolved, settled(21, first))
      .when(ask('settle', { mailing_id: 22, outcomes: { kept: 200 } }))
      .then(settled(22, { kept: 200 }), event.BroadcastCompleted({ send_action_id: ACTION }))
  })

  it('14 26: its audience is fixed once', () => {
    given(broadcasts, drafted, added, begun, resolved)
      .when(ask('resolve', { target_count: 1, mailing_ids: [30] }))
      .thenNothing()
  })

  it('14 37: an order that has begun is canceled, and one that has not is taken back', () => {
    const remove = ask('remove', {}, { id: ACTION, child: 'send_actions' })
    given(broadcasts, drafted, added, begun, resolved).when(remove).then(event.BroadcastCanceled({}))
    given(broadcasts, drafted, due(-1))
      .when(remove)
      .then(event.SendActionRemoved({ send_action_id: ACTION }))
  })

  it('14 29: takes one order at a time', () => {
    const create = ask('create', {}, { id: ACTION + 1, child: 'send_actions' })
    given(broadcasts, drafted, due(-1)).when(create, readiness).refuses('invalid', 'News is scheduled already')
    given(broadcasts, drafted)
      .when(create, { ...readiness, missing: ["Filter can't be blank"] })
      .refuses('invalid', "News is not sendable.; Filter can't be blank")
  })

  it('is changed and deleted only as a draft', () => {
    for (const type of ['change', 'remove'])
      given(broadcasts, drafted, due(-1))
        .when(ask(type, { name: 'B' }), facts)
        .refuses('conflict', /Only a draft/)
    given(broadcasts, drafted).when(ask('remove'), facts).then(event.BroadcastRemoved({}))
  })
})
