import { Type } from 'typebox'
import { addedData } from '../../kernel/model/event-types.ts'
import type { Values } from '../../kernel/model/field.ts'
import { choice, data, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model, type RecordHeader, type RecordOf } from '../../kernel/model/model.ts'
import { type DeliveryStatus, deliveryIdAt, OPEN, OUTCOMES, type Outcome, placeOf } from './outcomes.ts'
import { type Purpose, type Purposeful, purposeOf } from './purpose.ts'

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

export type DeliveryRecord = RecordOf<typeof delivery>

/** A link that was fetched; `null`: the picture that says that the mail was opened. */
export type Fetch = { readonly link: number | null; readonly at: string }

/** Deliveries that are about to be handed over, with the digests of their addresses in the same order. Those came later, so older events have none. */
export type Taken = {
  readonly delivery_ids: readonly number[]
  readonly digests?: readonly (string | null)[]
}

/** What tells that a program fetches all of a mail: it asks for the head of a link alone, or reads the page to unsubscribe beside links. */
export type FetchSign = 'probe' | 'page'

/** Time in which the fetches of one mail are judged together, in milliseconds. */
export const JUDGED_AFTER_MS = 10_000

const hidden = { shown: 'never' } as const

const deliveryAttributes = {
  /** `null`: it is to a user of the team. */
  contact_id: reference('contact', { nullable: true, onTargetEnd: 'keep' }),
  user_id: reference('user', { nullable: true }),
  /** Broadcast or step of a workflow that it is a mail of. */
  emails_broadcasts_id: integer({ nullable: true }),
  workflows_step_id: integer({ nullable: true }),
  /** Keyed digest of the address that it goes to; `null`: it is to a user, or was not taken by a version that notes it. */
  address_digest: text({ nullable: true, ...hidden }),
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
  last_opened_at: moment({ nullable: true, ...hidden }),
  clicks: integer({ default: 0 }),
  clicked_at: moment({ nullable: true }),
  last_clicked_at: moment({ nullable: true, ...hidden }),
  machine_fetches: integer({ default: 0 }),
  /** When the head of a link alone was asked for, as no person does. */
  probed_at: moment({ nullable: true, ...hidden }),
  /** When a page of it was read last, such as the one to unsubscribe, and how often. */
  page_read_at: moment({ nullable: true, ...hidden }),
  page_reads: integer({ default: 0, ...hidden }),
  /** Orders that followed a click in it. */
  order_ids: list(integer(), { default: [], ...hidden }),
}

type State = (RecordHeader & Values<typeof deliveryAttributes>) | undefined
/** Users came later, so older mailings have none. */
type Begun = Purposeful & { readonly user_ids?: readonly number[] }

/** What events about mails to contacts say of them, so that others can tell whom it concerns without looking. */
type ForPurpose = { readonly purpose?: Purpose }
/** What became of a mail before. */
type Former = ForPurpose & { readonly was?: DeliveryStatus }
type Settlements = ForPurpose & { readonly outcomes: readonly Settled[] }

const settled = (before: State, { outcomes }: Settlements, { id, at }: FoldContext) => {
  const one = outcomes.find(({ delivery_id }) => delivery_id === id)
  if (!before || !one) return null
  const { outcome, reason = null, reply = null, retry_at = null } = one
  if (outcome === 'returned') return { status: 'waiting' as const, attempts: before.attempts - 1 }
  if (outcome === 'deferred') return { status: 'waiting' as const, reason, reply, retry_at }
  return { status: outcome, reason, reply, retry_at: null, settled_at: at }
}

/** Signs came later, so older events have none. */
type Fetched = ForPurpose & { readonly link: number | null; readonly machine: boolean; readonly sign?: FetchSign }

const fetched = (before: State, { link, machine, sign }: Fetched, { at }: FoldContext) => {
  if (!before) return null
  if (sign === 'page') return { page_read_at: at, page_reads: before.page_reads + 1 }
  if (machine) return { machine_fetches: before.machine_fetches + 1, ...(sign === 'probe' && { probed_at: at }) }
  return {
    pending: [...before.pending, { link, at }],
    judged_at: before.judged_at ?? new Date(Date.parse(at) + JUDGED_AFTER_MS).toISOString(),
  }
}

type Verdict = ForPurpose & {
  readonly opens: number
  readonly clicks: number
  readonly machines: number
  /** Whether it was never opened, or none of its links clicked, before. */
  readonly first_open?: boolean
  readonly first_click?: boolean
}

/** Who clicks has opened. */
const judged = (before: State, { opens, clicks, machines }: Verdict) => {
  if (!before) return null
  const [first] = before.pending
  const isClick = ({ link }: Fetch) => link !== null
  const click = before.pending.find(isClick)
  return {
    pending: [],
    judged_at: null,
    opens: before.opens + opens,
    clicks: before.clicks + clicks,
    machine_fetches: before.machine_fetches + machines,
    ...(opens + clicks > 0 && {
      opened_at: before.opened_at ?? first?.at ?? null,
      last_opened_at: before.pending.at(-1)?.at ?? before.last_opened_at,
    }),
    ...(clicks > 0 && {
      clicked_at: before.clicked_at ?? click?.at ?? null,
      last_clicked_at: before.pending.findLast(isClick)?.at ?? before.last_clicked_at,
    }),
  }
}

type Sale = ForPurpose & { readonly order_id: number; readonly amount: string; readonly currency: string }

type MailReturned = Former & { readonly returned: string; readonly status: string | null; readonly fault?: string }

/** One recipient of a mailing. */
export const delivery = model('emails/delivery', {
  stream: 'emails/mailing',
  owner: 'mailing_id',
  attributes: deliveryAttributes,
  events: {
    MailingBegun: {
      of: ({ contact_ids, user_ids = [] }: Begun, mailingId) =>
        [...contact_ids, ...user_ids].map((_, index) => deliveryIdAt(mailingId, index)),
      evolve: (_, begun: Begun, { id }) => {
        const { contact_ids, user_ids = [] } = begun
        const { broadcast_id = null, step_id = null } = purposeOf(begun) ?? {}
        return {
          contact_id: contact_ids[placeOf(id)] ?? null,
          user_id: user_ids[placeOf(id) - contact_ids.length] ?? null,
          emails_broadcasts_id: broadcast_id,
          workflows_step_id: step_id,
        }
      },
    },
    DeliveriesTaken: {
      of: ({ delivery_ids }: Taken) => delivery_ids,
      evolve: (before, { delivery_ids, digests }: Taken, { id, at }) =>
        before
          ? {
              status: 'taken',
              address_digest: digests?.[delivery_ids.indexOf(id)] ?? null,
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
    MailReturned: {
      evolve: (before, { returned, status, fault }: MailReturned, { at }) =>
        before
          ? {
              returned,
              reply: status,
              reason: fault ?? before.reason,
              status: returned === 'refused' ? 'failed' : 'bounced',
              settled_at: before.settled_at ?? at,
            }
          : null,
    },
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
  timers: { judgement: { due: ({ judged_at }) => judged_at, movedBy: ['MailFetched', 'FetchesJudged'] } },
})
