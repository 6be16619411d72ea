import { Type } from 'typebox'
import { choice, data, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable } from '../../resources/schemas.ts'
import type { MailTexts } from '../composing/compose.ts'
import type { FooterSettings } from '../composing/footer.ts'
import { delivery, type Taken } from './delivery.ts'
import { TAKINGS_KEPT_MS } from './takings-kept.ts'

export {
  type DeliveryRecord,
  delivery,
  type Fetch,
  type FetchSign,
  JUDGED_AFTER_MS,
  type Settled,
} from './delivery.ts'

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

export type MailingRecord = RecordOf<typeof mailing> & { readonly workspace_id: number }

/** A mailing that has its sender. */
export type SendableMailing = MailingRecord & { readonly sender: Sender; readonly domain: string }

/**
 * Mail to one or more contacts, with one text: an owed mail, a step of a workflow, or a piece of a broadcast; or to users of the team, about a contact. It names
 * nobody but by id.
 */
export const mailing = model('emails/mailing', {
  attributes: {
    class: choice(['owed', 'marketing'], { required: true }),
    /** What kind of mail it is: `broadcast`, `step`, `order_confirmation`, … */
    kind: text({ required: true }),
    /** What it is for, in words that no other mailing of the workspace has. A repeated cause makes no second mailing. */
    cause: text({ required: true }),
    /** `null` for owed mail until it is handed over. */
    sender: data<Sender | null>(nullable(Type.Object({}))),
    reply_to: data<Sender | null>(nullable(Type.Object({}))),
    /** Sending domain. */
    domain: text({ nullable: true }),
    /** What it is about. A contact who does not want one of these gets none of it. */
    topic_ids: list(reference('emails/topic', { onTargetEnd: 'keep' }), { default: [], max: 20 }),
    content: data<MailContent, { required: true }>(Type.Object({}), { required: true }),
    /** Values for Liquid besides those of the contact, none of them personal. */
    values: data<JsonObject, { default: Record<never, never> }>(Type.Object({}), { default: {} }),
    contact_ids: list(reference('contact', { onTargetEnd: 'keep' }), { required: true, max: 500 }),
    user_ids: list(reference('user'), { default: [], max: 500 }),
    /** Contact whom mail to users is about: its text may have their values, so it is kept under their key. */
    about_contact_id: reference('contact', { nullable: true, onTargetEnd: 'keep' }),
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
    MailingSenderChosen: { sets: ['sender', 'reply_to', 'domain'] },
    DeliveriesTaken: {
      evolve: (before, { delivery_ids }: Taken, { at }) => {
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
  derives: {
    version: 1,
    of: ({ class: of, values }) => ({
      owed_for: of === 'owed' && 'order_id' in values ? Number(values.order_id) : null,
    }),
  },
  unique: [{ attributes: ['cause'], says: 'Cause has already been taken' }],
})
