import type { SoftBounces } from '../contact/event-data.ts'

/** Mails in a row that are not delivered, and the time from the first to the last, after which an address counts as dead. */
const SOFT_BOUNCES = 5
const SOFT_BOUNCES_MS = 7 * 24 * 60 * 60_000

export type SoftBounce = {
  /** When the mail that came back was handed over. */
  readonly sent_at: string
  /** Whether a mail was delivered since the last one that came back. */
  readonly delivered_since: boolean
}

/** Counts a mail that could not be delivered for the moment. @returns whether the address counts as dead by now, too */
export const withSoftBounce = (known: SoftBounces | null, { sent_at, delivered_since }: SoftBounce) => {
  const running = delivered_since ? null : known
  const soft_bounces: SoftBounces = { count: (running?.count ?? 0) + 1, since: running?.since ?? sent_at }
  const lasted = Date.parse(sent_at) - Date.parse(soft_bounces.since)
  return { soft_bounces, isDead: soft_bounces.count >= SOFT_BOUNCES && lasted >= SOFT_BOUNCES_MS }
}
