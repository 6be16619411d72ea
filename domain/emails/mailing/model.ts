import { Type } from 'typebox'
import type { Values } from '../../kernel/model/field.ts'
import { choice, data, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model, type RecordHeader, type RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable } from '../../resources/schemas.ts'
import type { MailTexts } from '../composing/compose.ts'
import type { FooterSettings } from '../composing/footer.ts'
import { deliveryIdAt, OPEN, OUTCOMES, type Outcome, placeOf } from './outcomes.ts'

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

/** Outcome of one delivery. `deferred`: it is tried again at `retry_at`. `returned`: it was not tried, by no fault of its own. */
export type Settled = {
  readonly delivery_id: number
  readonly outcome: Outcome | 'deferred' | 'returned'
  /** Why, in a word of the table in docs/mail.md. */
  readonly reason?: string
  /** Codes of the server's reply, such as `550 5.1.1`. Its text may name the recipient, so it is not stored. */
  readonly reply?: string
  readonly retry_at?: string
}

export type MailingRecord = RecordOf<typeof mailing> & { readonly workspace_id: number }
export type DeliveryRecord = RecordOf<typeof delivery>

/** A link that was fetched; `null`: the picture that says that the mail was opened. */
export type Fetch = { readonly link: number | null; readonly at: string }

/** Time in which the fetches of one mail are judged together, in milliseconds. */
const JUDGED_AFTER_MS = 10_000

const deliveryAttributes = {
  contact_id: reference('contact', { required: true, onTargetEnd: 'keep' }),
  status: choice([...OPEN, ...OUTCOMES], { default: 'waiting' }),
  reason: text({ nullable: true }),
  reply: text({ nullable: true }),
  attempts: integer({ default: 0 }),
  first_attempt_at: moment({ nullable: true }),
  /** Time of the last intent to hand it over. */
  taken_at: moment({ nullable: true }),
  retry_at: moment({ nullable: true }),
  settled_at: moment({ nullable: true }),
  /** What a report said of it: `later`, `refused` or `address`. */
  returned: text({ nullable: true }),
  complained_at: moment({ nullable: true }),
  /** Fetches that may be those of a person. */
  pending: data<readonly Fetch[], { default: readonly [] }>(Type.Array(Type.Object({})), { default: [] }),
  /** When they are judged. */
  judged_at: moment({ nullable: true }),
  opens: integer({ default: 0 }),
  opened_at: moment({ nullable: true }),
  clicks: integer({ default: 0 }),
  clicked_at: moment({ nullable: true }),
  machine_fetches: integer({ default: 0 }),
}

type State = (RecordHeader & Values<typeof deliveryAttributes>) | undefined
type Begun = { readonly contact_ids: readonly number[] }
type Settlements = { readonly outcomes: readonly Settled[] }

const settled = (before: State, { outcomes }: Settlements, { id, at }: FoldContext) => {
  const one = outcomes.find(({ delivery_id }) => delivery_id === id)
  if (!before || !one) return null
  const { outcome, reason = null, reply = null, retry_at = null } = one
  if (outcome === 'returned') return { status: 'waiting' as const, attempts: before.attempts - 1 }
  if (outcome === 'deferred') return { status: 'waiting' as const, reason, reply, retry_at }
  return { status: outcome, reason, reply, retry_at: null, settled_at: at }
}

const fetched = (
  before: State,
  { link, machine }: { readonly link: number | null; readonly machine: boolean },
  { at }: FoldContext,
) => {
  if (!before) return null
  if (machine) return { machine_fetches: before.machine_fetches + 1 }
  return {
    pending: [...before.pending, { link, at }],
    judged_at: before.judged_at ?? new Date(Date.parse(at) + JUDGED_AFTER_MS).toISOString(),
  }
}

type Verdict = { readonly opens: number; readonly clicks: number; readonly machines: number }

/** Who clicks has opened. */
const judged = (before: State, { opens, clicks, machines }: Verdict) => {
  if (!before) return null
  const [first] = before.pending
  const click = before.pending.find(({ link }) => link !== null)
  return {
    pending: [],
    judged_at: null,
    opens: before.opens + opens,
    clicks: before.clicks + clicks,
    machine_fetches: before.machine_fetches + machines,
    ...(opens + clicks > 0 && { opened_at: before.opened_at ?? first?.at ?? null }),
    ...(clicks > 0 && { clicked_at: before.clicked_at ?? click?.at ?? null }),
  }
}

/** One recipient of a mailing. */
export const delivery = model('emails/delivery', {
  stream: 'emails/mailing',
  owner: 'mailing_id',
  attributes: deliveryAttributes,
  events: {
    MailingBegun: {
      of: ({ contact_ids }: Begun, mailingId) => contact_ids.map((_, index) => deliveryIdAt(mailingId, index)),
      evolve: (_, { contact_ids }: Begun, { id }) => ({ contact_id: contact_ids[placeOf(id)] ?? 0 }),
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
      evolve: (before, { outcome }: { readonly outcome: 'sent' | 'bounced' }, { at }) =>
        before ? { status: outcome, settled_at: at } : null,
    },
    MailFetched: { evolve: fetched },
    FetchesJudged: { evolve: judged },
    /** A report came to its return path. */
    MailReturned: {
      evolve: (before, { returned, status }: { readonly returned: string; readonly status: string | null }, { at }) =>
        before
          ? {
              returned,
              reply: status,
              status: returned === 'refused' ? 'failed' : 'bounced',
              settled_at: before.settled_at ?? at,
            }
          : null,
    },
    MailComplainedAbout: { stamps: 'complained_at' },
    DeliveryOrderedAgain: {
      evolve: (before) =>
        before ? { status: 'waiting', reason: null, reply: null, first_attempt_at: null, settled_at: null } : null,
    },
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
    /** What it is about. A contact who does not want one of these gets none of it. */
    topic_ids: list(reference('emails/topic', { onTargetEnd: 'keep' }), { default: [], max: 20 }),
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
