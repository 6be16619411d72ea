import type { FoldContext } from '../../kernel/model/model.ts'
import type { DeliveryStatus, Outcome } from './outcomes.ts'
import type { Purpose } from './purpose.ts'

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

/** A link that was fetched; `null`: the picture that says that the mail was opened. */
export type Fetch = { readonly link: number | null; readonly at: string }

/** Time in which the fetches of one mail are judged together, in milliseconds. */
const JUDGED_AFTER_MS = 10_000

/** What events about mails to contacts say of them, so that others can tell whom it concerns without looking. */
export type ForPurpose = { readonly purpose?: Purpose }

/** What became of a mail before. */
export type Former = ForPurpose & { readonly was?: DeliveryStatus }
export type Settlements = ForPurpose & { readonly outcomes: readonly Settled[] }
export type Fetched = ForPurpose & { readonly link: number | null; readonly machine: boolean }
export type Returned = Former & { readonly returned: string; readonly status: string | null }
export type Sale = ForPurpose & { readonly order_id: number; readonly amount: string; readonly currency: string }

/** Whose fetches of the last seconds were. */
export type Judged = ForPurpose & {
  readonly opens: number
  readonly clicks: number
  readonly machines: number
  /** Whether it was never opened, or none of its links clicked, before. */
  readonly first_open?: boolean
  readonly first_click?: boolean
}

/** What of a delivery changes with what happens to it. */
interface Before {
  readonly attempts: number
  readonly settled_at: string | null
  readonly pending: readonly Fetch[]
  readonly judged_at: string | null
  readonly opens: number
  readonly opened_at: string | null
  readonly clicks: number
  readonly clicked_at: string | null
  readonly last_clicked_at: string | null
  readonly machine_fetches: number
}

type State = Before | undefined

/** Returns what changes with an outcome. */
export const settled = (before: State, { outcomes }: Settlements, { id, at }: FoldContext) => {
  const one = outcomes.find(({ delivery_id }) => delivery_id === id)
  if (!before || !one) return null
  const { outcome, reason = null, reply = null, retry_at = null } = one
  if (outcome === 'returned') return { status: 'waiting' as const, attempts: before.attempts - 1 }
  if (outcome === 'deferred') return { status: 'waiting' as const, reason, reply, retry_at }
  return { status: outcome, reason, reply, retry_at: null, settled_at: at }
}

/** Returns what changes with a fetch. */
export const fetched = (before: State, { link, machine }: Fetched, { at }: FoldContext) => {
  if (!before) return null
  if (machine) return { machine_fetches: before.machine_fetches + 1 }
  return {
    pending: [...before.pending, { link, at }],
    judged_at: before.judged_at ?? new Date(Date.parse(at) + JUDGED_AFTER_MS).toISOString(),
  }
}

const isClick = ({ link }: Fetch): boolean => link !== null

/** Returns what changes when it is known whose fetches were. Who clicks has opened. */
export const judged = (before: State, { opens, clicks, machines }: Judged) => {
  if (!before) return null
  const [first] = before.pending
  const click = before.pending.find(isClick)
  return {
    pending: [],
    judged_at: null,
    opens: before.opens + opens,
    clicks: before.clicks + clicks,
    machine_fetches: before.machine_fetches + machines,
    ...(opens + clicks > 0 && { opened_at: before.opened_at ?? first?.at ?? null }),
    ...(clicks > 0 && {
      clicked_at: before.clicked_at ?? click?.at ?? null,
      last_clicked_at: before.pending.findLast(isClick)?.at ?? before.last_clicked_at,
    }),
  }
}

/** Returns what changes with a report that a mail came back. */
export const returned = (before: State, { returned, status }: Returned, { at }: FoldContext) =>
  before
    ? {
        returned,
        reply: status,
        status: returned === 'refused' ? ('failed' as const) : ('bounced' as const),
        settled_at: before.settled_at ?? at,
      }
    : null
