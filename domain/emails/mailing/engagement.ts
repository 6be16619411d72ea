import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { type delivery, type Fetch, type FetchSign, JUDGED_AFTER_MS, mailing } from './model.ts'
import { withPurpose } from './told-purpose.ts'

const { event } = mailing
type Happens = Events<typeof mailing>
type Delivery<Input = unknown> = ActContext<typeof delivery, Input>

/** Fetches of one mail that are recorded. */
const MOST_FETCHES = 100
/** Links of one mail that nobody opens within seconds, but programs do that look for dangers. */
const MANY_LINKS = 3
/** Time after a mail was handed over in which only programs fetch. */
const AT_ONCE_MS = 2000

export type WantedFetch = {
  /** Number of the link; `null`: the picture that says that a mail was opened. */
  readonly link: number | null
  /** Whether the request itself says that a program makes it. */
  readonly machine: boolean
  readonly sign?: FetchSign
}

/** Records that a link or the picture of a mail was fetched, and by which verdict. Who fetched is known only a little later. */
const fetch = ({ id, before, wanted: { link, machine, sign }, at, records }: Delivery<WantedFetch>): Happens => {
  const { opens, clicks, machine_fetches, page_reads, pending } = before
  if (opens + clicks + machine_fetches + page_reads + pending.length >= MOST_FETCHES) return []
  if (sign === 'page') return [event.MailFetched({ delivery_id: id, link: null, machine, sign })]
  const isAtOnce = before.settled_at !== null && Date.parse(at) - Date.parse(before.settled_at) < AT_ONCE_MS
  const byMachine = machine || isAtOnce
  // Fetches of persons are told of when they are judged.
  return [
    event.MailFetched({
      ...{ delivery_id: id, link, machine: byMachine },
      ...(sign && { sign }),
      ...(byMachine && withPurpose(records)),
    }),
  ]
}

/** Whether a moment is among those of fetches that are judged together. */
const isAmong = (pending: readonly Fetch[], moment: string | null): boolean =>
  moment !== null && pending.some(({ at }) => Math.abs(Date.parse(at) - Date.parse(moment)) <= JUDGED_AFTER_MS)

const isClick = ({ link }: Fetch): boolean => link !== null

/** Decides whether a person or a program made the fetches of the last seconds. A mail in doubt that a person opened has arrived. */
const judge = ({ id, before, records }: Delivery): Happens => {
  const { pending, status, probed_at, page_read_at } = before
  if (pending.length === 0) return []
  const links = new Set(pending.filter(isClick).map(({ link }) => link))
  const isAll = links.size > 0 && isAmong(pending, page_read_at)
  const isScan = links.size >= MANY_LINKS || isAll || isAmong(pending, probed_at)
  const clicks = isScan ? 0 : pending.filter(isClick).length
  const opens = isScan ? 0 : pending.length - clicks
  const machines = isScan ? pending.length : 0
  const purpose = withPurpose(records)
  const firsts = {
    ...(opens + clicks > 0 && before.opened_at === null && { first_open: true }),
    ...(clicks > 0 && before.clicked_at === null && { first_click: true }),
  }
  return [
    event.FetchesJudged({ delivery_id: id, opens, clicks, machines, ...firsts, ...purpose }),
    ...(status === 'in_doubt' && !isScan ? [event.DoubtSettled({ delivery_id: id, outcome: 'sent', ...purpose })] : []),
  ]
}

export const engagementActs = { fetch, judge }
