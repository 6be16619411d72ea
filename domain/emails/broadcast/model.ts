import { Type } from 'typebox'
import { managed, namesOf } from '../../kernel/model/field.ts'
import { choice, data, flag, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { emailAddress } from '../../resources/attributes/email-address.ts'
import { timeZone } from '../../resources/attributes/time-zone.ts'
import { nullable } from '../../resources/schemas.ts'
import type { MailContent, Sender } from '../mailing/model.ts'
import { sendAction } from '../send-action/model.ts'
import { type Outcomes, sumOf } from './outcomes.ts'

/** States of a broadcast. */
export const STATUSES = ['draft', 'scheduled', 'sending', 'paused', 'unhealthy', 'complete', 'canceled'] as const

const DAY = { test: /^\d{4}-\d{2}-\d{2}$/, says: 'must be a date: YYYY-MM-DD' }
const TIME = { test: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, says: 'must be a time of day: HH:MM:SS' }

/** What clients write. */
const written = {
  name: text({ required: true, trim: true }),
  subject: text({ nullable: true, max: 1000 }),
  preheadline: text({ nullable: true, max: 150 }),
  from_email: emailAddress({ required: true, about: 'Of a sender of the workspace' }),
  reply_to_email: emailAddress({ nullable: true, about: 'Of a sender of the workspace' }),
  template_id: reference('emails/template', { nullable: true, about: 'Wins over html_body and text_body' }),
  send_at: text({
    ...{ nullable: true, form: DAY, about: 'Day of a broadcast that is scheduled when it is created' },
    consequence: { says: 'mails many people' },
  }),
  send_at_local_time: text({ nullable: true, form: TIME, about: 'Default: 18:00:00' }),
  time_zone: timeZone({ nullable: true, about: 'Default: that of the workspace' }),
  external_id: text({ nullable: true }),
  topic_ids: list(reference('emails/topic'), { default: [], max: 20 }),
}

type Ordered = { readonly send_action_id: number; readonly scheduled_for: string | null }
type Piece = {
  readonly send_action_id: number
  readonly mailing_id: number
  readonly outcomes: Outcomes
  readonly unbegun?: boolean
}

/** Names of what changes in a draft, and of what it begins with. */
const CHANGED: readonly (keyof typeof written | 'filter_id' | 'filter' | 'contact_ids')[] = [
  ...namesOf(written),
  'contact_ids',
  'filter_id',
  'filter',
]
const DRAFTED: readonly (keyof typeof written | 'filter_id' | 'filter' | 'contact_ids' | 'send_immediately')[] = [
  ...CHANGED,
  'send_immediately',
]

/** Broadcast: one mail to many contacts. Once sending has begun, its text, sender and audience are fixed. */
export const broadcast = model('emails/broadcast', {
  attributes: {
    ...written,
    send_immediately: flag({
      ...{ default: false, about: 'true sends on creation, false schedules if there is a send_at' },
      consequence: { says: 'mails many people', unless: [false] },
    }),
    /** Its own copy of the filter. */
    filter_id: managed(integer()),
    filter: managed(data<JsonObject>(Type.Object({})), { shown: 'never' }),
    /** Contacts that are its audience in place of a filter. */
    contact_ids: managed(list(integer(), { default: [] }), { shown: 'never' }),
    status: managed(choice(STATUSES, { default: 'draft' })),
    /** Why it is paused or unhealthy. */
    status_reason: managed(text()),
    send_action_id: managed(integer(), { shown: 'never' }),
    scheduled_for: managed(moment(), { shown: 'never' }),
    /** What all recipients get; `null` before sending has begun. */
    content: managed(data<MailContent | null>(nullable(Type.Object({}))), { shown: 'never' }),
    sender: managed(data<Sender | null>(nullable(Type.Object({}))), { shown: 'never' }),
    reply_to: managed(data<Sender | null>(nullable(Type.Object({}))), { shown: 'never' }),
    target_count: managed(integer(), { shown: 'never' }),
    /** Mailings to the pieces of the audience, in their order. */
    mailing_ids: managed(list(integer(), { default: [] }), { shown: 'never' }),
    /** Those of them whose outcomes are counted. */
    settled_ids: managed(list(integer(), { default: [] }), { shown: 'never' }),
    outcomes: managed(data<Outcomes, { default: Record<never, never> }>(Type.Object({}), { default: {} }), {
      shown: 'never',
    }),
    sending_at: managed(moment()),
    complete_at: managed(moment()),
  },
  events: {
    BroadcastDrafted: { creates: true, only: DRAFTED },
    BroadcastChanged: { changes: 'rest', only: CHANGED },
    BroadcastRemoved: { ends: true },
    SendActionAdded: {
      evolve: (_, { send_action_id, scheduled_for }: Ordered) => ({
        send_action_id,
        scheduled_for,
        status: scheduled_for === null ? ('sending' as const) : ('scheduled' as const),
      }),
    },
    SendActionRemoved: {
      constants: { status: 'draft', status_reason: null, send_action_id: null, scheduled_for: null },
    },
    BroadcastSendingBegun: {
      sets: ['content', 'sender', 'reply_to'],
      constants: { status: 'sending', status_reason: null },
    },
    BroadcastAudienceResolved: { sets: ['target_count', 'mailing_ids'], stamps: 'sending_at' },
    BroadcastPieceSettled: {
      evolve: (before, { mailing_id, outcomes }: Piece) => ({
        settled_ids: [...(before?.settled_ids ?? []), mailing_id],
        outcomes: sumOf(before?.outcomes ?? {}, outcomes),
      }),
    },
    BroadcastCompleted: {
      evolve: (before, _: JsonObject, { at }) => ({
        status: before?.status === 'canceled' ? ('canceled' as const) : ('complete' as const),
        status_reason: null,
        complete_at: at,
      }),
    },
    BroadcastPaused: { sets: ['status_reason'], constants: { status: 'paused' } },
    BroadcastResumed: {
      evolve: (before) => ({
        status: before?.content ? ('sending' as const) : ('scheduled' as const),
        status_reason: null,
      }),
    },
    /** Nothing of it can be sent, for a reason that is no recipient's. */
    BroadcastFellUnhealthy: { sets: ['status_reason'], constants: { status: 'unhealthy' } },
    BroadcastRecovered: { constants: { status: 'sending', status_reason: null } },
    BroadcastCanceled: { constants: { status: 'canceled', status_reason: null } },
  },
  children: { send_actions: { model: sendAction, key: 'send_action_id' } },
  timers: { send: { due: ({ status, scheduled_for }) => (status === 'scheduled' ? scheduled_for : null) } },
})
