import { Type } from 'typebox'
import { addedData } from '../../kernel/model/event-types.ts'
import { choice, data, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable } from '../../resources/schemas.ts'
import type { MailTexts } from '../composing/compose.ts'
import type { FooterSettings } from '../composing/footer.ts'
import {
  type Fetch,
  type Former,
  type ForPurpose,
  fetched,
  judged,
  returned,
  type Sale,
  type Settlements,
  settled,
} from './happenings.ts'
import { deliveryIdAt, OPEN, OUTCOMES, placeOf } from './outcomes.ts'
import { type Purposeful, purposeOf } from './purpose.ts'

export type { Fetch, Settled } from './happenings.ts'

/** Who a mail is from: an address of the workspace, as it was when the mailing began. */
export type Sender = { readonly name: string | null; readonly address: string }

/** The frozen text of a mailing, with what marketing mail ends with and which of its fetches are recorded. */
export type MailContent = MailTexts & {
  readonly footer: FooterSettings | null
  readonly tracks_opens: boolean
  readonly tracks_clicks: boolean
}

/** Deliveries that were taken together, and when. The rate of a sending domain follows from these. */
export type Taking = { readonly at: string; readonly count: number }

/** How long takings are remembered: the longest time of a rate. */
export const TAKINGS_KEPT_MS = 24 * 60 * 60_000

export type MailingRecord = RecordOf<typeof mailing> & { readonly workspace_id: number }
export type DeliveryRecord = RecordOf<typeof delivery>

const hidden = { shown: 'never' } as const

const deliveryAttributes = {
  contact_id: reference('contact', { required: true, onTargetEnd: 'keep' }),
  /** Broadcast or step of a workflow that it is a mail of. */
  emails_broadcasts_id: integer({ nullable: true }),
  workflows_step_id: integer({ nullable: true }),
  status: choice([...OPEN, ...OUTCOMES], { default: 'waiting' }),
  reason: text({ nullable: true }),
  reply: text({ nullable: true }),
  attempts: integer({ default: 0, ...hidden }),
  first_attempt_at: moment({ nullable: true, ...hidden }),
  /** Time of the last intent to hand it over. */
  taken_at: moment({ nullable: true, ...hidden }),
  retry_at: moment({ nullable: true, ...hidden }),
  settled_at: moment({ nullable: true }),
  /** What a report said of it: `later`, `refused` or `address`. */
  returned: text({ nullable: true }),
  complained_at: moment({ nullable: true }),
  /** When somebody unsubscribed by one of its links. */
  unsubscribed_at: moment({ nullable: true }),
  /** Fetches that may be those of a person. */
  pending: data<readonly Fetch[], { default: readonly [] }>(Type.Array(Type.Object({})), { default: [], ...hidden }),
  /** When they are judged. */
  judged_at: moment({ nullable: true, ...hidden }),
  opens: integer({ default: 0 }),
  opened_at: moment({ nullable: true }),
  clicks: integer({ default: 0 }),
  clicked_at: moment({ nullable: true }),
  last_clicked_at: moment({ nullable: true, ...hidden }),
  machine_fetches: integer({ default: 0 }),
  /** Orders that followed a click in it. */
  order_ids: list(integer(), { default: [], ...hidden }),
}

type Begun = Purposeful

/** One recipient of a mailing. */
export const delivery = model('emails/delivery', {
  stream: 'emails/mailing',
  owner: 'mailing_id',
  attributes: deliveryAttributes,
  events: {
    MailingBegun: {
      of: ({ contact_ids }: Begun, mailingId) => contact_ids.map((_, index) => deliveryIdAt(mailingId, index)),
      evolve: (_, begun: Begun, { id }) => {
        const { broadcast_id = null, step_id = null } = purposeOf(begun) ?? {}
        const contact_id = begun.contact_ids[placeOf(id)] ?? 0
        return { contact_id, emails_broadcasts_id: broadcast_id, workflows_step_id: step_id }
      },
    },
    DeliveriesTaken: {
      of: ({ delivery_ids }: { readonly delivery_ids: readonly number[] }) => delivery_ids,
      evolve: (before, _: { readonly delivery_ids: readonly number[] }, { at }) =>
        before
          ? {
              status: 'taken',
              taken_at: at,
              attempts: before.attempts + 1,
              first_attempt_at: before.first_attempt_at ?? at,
              retry_at: null,
            }
          : null,
    },
    DeliveriesSettled: {
      of: ({ outcomes }: Settlements) => outcomes.map(({ delivery_id }) => delivery_id),
      evolve: settled,
    },
    DoubtSettled: {
      evolve: (before, { outcome }: ForPurpose & { readonly outcome: 'sent' | 'bounced' }, { at }) =>
        before ? { status: outcome, settled_at: at } : null,
    },
    MailFetched: { evolve: fetched },
    FetchesJudged: { evolve: judged },
    /** A report came to its return path. */
    MailReturned: { evolve: returned },
    MailComplainedAbout: { stamps: 'complained_at', addsData: addedData<ForPurpose>() },
    MailUnsubscribedBy: { stamps: 'unsubscribed_at', addsData: addedData<ForPurpose>() },
    /** The recipient bought something after a click. */
    SaleFollowed: {
      evolve: (before, { order_id }: Sale) => (before ? { order_ids: [...before.order_ids, order_id] } : null),
    },
    DeliveryOrderedAgain: {
      addsData: addedData<Former>(),
      evolve: (before) =>
        before ? { status: 'waiting', reason: null, reply: null, first_attempt_at: null, settled_at: null } : null,
    },
  },
  derives: {
    version: 1,
    of: ({ emails_broadcasts_id: id, status, opened_at, clicked_at }) => ({
      received_in: status === 'sent' || status === 'kept' ? id : null,
      opened_in: opened_at === null ? null : id,
      clicked_in: clicked_at === null ? null : id,
    }),
  },
  timers: { judgement: { due: ({ judged_at }) => judged_at } },
})

/** Mail to one or more contacts, with one text: an owed mail, a step of a workflow, or a piece of a broadcast. It names nobody but by id. */
export const mailing = model('emails/mailing', {
  attributes: {
    class: choice(['owed', 'marketing'], { required: true }),
    /** What kind of mail it is: `broadcast`, `step`, `order_confirmation`, … */
    kind: text({ required: true }),
    /** What it is for, in words that no other mailing of the workspace has. A repeated cause makes no second mailing. */
    cause: text({ required: true }),
    sender: data<Sender, { required: true }>(Type.Object({}), { required: true }),
    reply_to: data<Sender | null>(nullable(Type.Object({}))),
    /** Sending domain. */
    domain: text({ required: true }),
    topic_id: integer({ nullable: true }),
    content: data<MailContent, { required: true }>(Type.Object({}), { required: true }),
    /** Values for Liquid besides those of the contact, none of them personal. */
    values: data<JsonObject, { default: Record<never, never> }>(Type.Object({}), { default: {} }),
    contact_ids: list(reference('contact', { onTargetEnd: 'keep' }), { required: true, max: 500 }),
    status: choice(['open', 'paused', 'held', 'completed'], { default: 'open' }),
    /** Why it is paused or held. */
    status_reason: text({ nullable: true }),
    paused_since: moment({ nullable: true }),
    resumes_at: moment({ nullable: true }),
    pauses: integer({ default: 0 }),
    takings: data<readonly Taking[] | null>(nullable(Type.Array(Type.Object({})))),
    last_taken_at: moment({ nullable: true }),
  },
  events: {
    MailingBegun: { creates: true },
    DeliveriesTaken: {
      evolve: (before, { delivery_ids }: { readonly delivery_ids: readonly number[] }, { at }) => {
        const since = Date.parse(at) - TAKINGS_KEPT_MS
        const kept = (before?.takings ?? []).filter((taking) => Date.parse(taking.at) > since)
        return { takings: [...kept, { at, count: delivery_ids.length }], last_taken_at: at }
      },
    },
    DeliveriesSettled: {},
    DoubtSettled: {},
    MailReturned: {},
    MailComplainedAbout: {},
    MailUnsubscribedBy: {},
    SaleFollowed: {},
    MailFetched: {},
    FetchesJudged: {},
    DeliveryOrderedAgain: { constants: { status: 'open' } },
    /** A fault that is not the recipient's keeps all of it waiting. */
    MailingPaused: {
      evolve: (before, { reason, until }: { readonly reason: string; readonly until: string }, { at }) => ({
        status: 'paused',
        status_reason: reason,
        paused_since: before?.paused_since ?? at,
        resumes_at: until,
        pauses: (before?.pauses ?? 0) + 1,
      }),
    },
    MailingResumed: {
      constants: { status: 'open', status_reason: null, paused_since: null, resumes_at: null, pauses: 0 },
    },
    MailingHeld: {
      evolve: (_, { reason }: { readonly reason: string }) => ({ status: 'held', status_reason: reason }),
    },
    MailingReleased: { constants: { status: 'open', status_reason: null } },
    MailingCompleted: {
      constants: { status: 'completed', status_reason: null, paused_since: null, resumes_at: null },
    },
  },
  children: { deliveries: { model: delivery, key: 'delivery_id' } },
  unique: [{ attributes: ['cause'], says: 'Cause has already been taken' }],
})
