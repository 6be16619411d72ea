import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { engagementActs } from './engagement.ts'
import { type DeliveryRecord, delivery, mailing, type SendableMailing, type Settled } from './model.ts'
import { isOpen, MOST_RECIPIENTS } from './outcomes.ts'
import { reportActs } from './reports.ts'
import { withPurpose } from './told-purpose.ts'

const { event } = mailing
type Happens = Events<typeof mailing>
type Mailing<Input = unknown> = ActContext<typeof mailing, Input>
type Delivery<Input = unknown> = ActContext<typeof delivery, Input>

/** Checks the recipients. */
const begin = ({ after }: DecisionContext<typeof mailing>) => {
  const ids = after.user_ids.length > 0 ? after.user_ids : after.contact_ids
  if (ids.length > MOST_RECIPIENTS)
    return refuse.invalid(`Recipients can be at most ${MOST_RECIPIENTS}`, 'contact_ids', 'too_many')
  if (new Set(ids).size < ids.length) return refuse.invalid('Recipients must be different', 'contact_ids', 'taken')
  return undefined
}

/** Adds the end of the mailing where these were its last open deliveries. */
const withEnd = (
  events: Happens,
  all: () => readonly DeliveryRecord[],
  done: ReadonlySet<number>,
  taken: number,
): Happens =>
  taken === 0 && events.length > 0 && all().every(({ id, status }) => done.has(id) || !isOpen(status))
    ? [...events, event.MailingCompleted({})]
    : events

interface Progress {
  readonly outcomes: readonly Settled[]
  /** Deliveries that will be handed over next. */
  readonly take: readonly number[]
  /** Digests of their addresses, in the same order. */
  readonly digests?: readonly (string | null)[]
}

const digestsOf = (ids: readonly number[], { take, digests }: Progress) =>
  ids.map((id) => digests?.[take.indexOf(id)] ?? null)

/** Records outcomes, together with the intent to hand over further deliveries. What has an outcome keeps it. */
const record = ({ before, wanted, records }: Mailing<Progress>): Happens => {
  const named = [...wanted.outcomes.map(({ delivery_id }) => delivery_id), ...wanted.take]
  const found = named.flatMap((id) => records.one(delivery, id) ?? [])
  const open = new Map(found.filter(({ status }) => isOpen(status)).map((one) => [one.id, one.status]))
  // A repeat gives nothing back a second time.
  const isNews = ({ delivery_id: id, outcome }: Settled) =>
    outcome === 'deferred' || outcome === 'returned' ? open.get(id) === 'taken' : open.has(id)
  const outcomes = wanted.outcomes.filter(isNews)
  const ending = outcomes.filter(({ outcome }) => outcome !== 'deferred' && outcome !== 'returned')
  const ended = new Set(ending.map(({ delivery_id }) => delivery_id))
  const take = wanted.take.filter((id) => open.get(id) === 'waiting' && !ended.has(id))
  const isSent = before.status === 'paused' && ending.some(({ outcome }) => outcome === 'sent' || outcome === 'kept')
  const events = [
    ...(outcomes.length > 0 ? [event.DeliveriesSettled({ outcomes, ...withPurpose(records) })] : []),
    ...(isSent ? [event.MailingResumed({})] : []),
    ...(take.length > 0 && before.status !== 'held'
      ? [event.DeliveriesTaken({ delivery_ids: take, ...(wanted.digests && { digests: digestsOf(take, wanted) }) })]
      : []),
  ]
  return withEnd(events, () => records.all(delivery), ended, take.length)
}

/** Ends all deliveries that were not yet taken. Those under way get the outcome that they have. */
const cancel = ({ records }: Mailing): Happens => {
  const all = records.all(delivery)
  const waiting = all.filter(({ status }) => status === 'waiting')
  if (waiting.length === 0) return []
  const outcomes = waiting.map(({ id }) => ({ delivery_id: id, outcome: 'canceled' as const }))
  return withEnd(
    [event.DeliveriesSettled({ outcomes, ...withPurpose(records) })],
    () => all,
    new Set(waiting.map(({ id }) => id)),
    0,
  )
}

type ChosenSender = Pick<SendableMailing, 'sender' | 'reply_to' | 'domain'>

/** Gives a mailing its sender. What is owed gets another one in place of one that is gone. */
const chooseSender = ({ before, wanted: { sender, reply_to, domain } }: Mailing<ChosenSender>): Happens => {
  const isReplaced = before.class === 'owed' && before.sender?.address !== sender?.address
  return before.sender === null || isReplaced ? [event.MailingSenderChosen({ sender, reply_to, domain })] : []
}

interface Pause {
  readonly reason: string
  readonly until: string
}

const pause = ({ before, wanted }: Mailing<Pause>): Happens =>
  (before.status === 'open' || before.status === 'paused') && before.resumes_at !== wanted.until
    ? [event.MailingPaused({ reason: wanted.reason, until: wanted.until })]
    : []

const hold = ({ before, wanted }: Mailing<{ readonly reason: string }>): Happens =>
  before.status === 'open' || before.status === 'paused' ? [event.MailingHeld({ reason: wanted.reason })] : []

const release = ({ before }: Mailing): Happens | Refusal =>
  before.status === 'held' ? [event.MailingReleased({})] : refuse.invalid('The mailing is not held', 'status')

/** Sends a mail again that did not surely arrive. */
const sendAgain = ({ id, before, records }: Delivery): Happens | Refusal =>
  before.status === 'in_doubt' || before.status === 'failed'
    ? [event.DeliveryOrderedAgain({ delivery_id: id, was: before.status, ...withPurpose(records) })]
    : refuse.invalid('Only a mail that failed or is in doubt can be sent again', 'status')

/** Settles a doubt by what was heard of the mail since: it was opened, or a report says what became of it. */
const settleDoubt = ({ id, before, wanted, records }: Delivery<{ readonly outcome: 'sent' | 'bounced' }>): Happens =>
  before.status === 'in_doubt'
    ? [event.DoubtSettled({ delivery_id: id, outcome: wanted.outcome, ...withPurpose(records) })]
    : []

/** Rules of a mailing and its deliveries. */
export const mailings = decider(mailing, {
  rules: rules(mailing, { save: [begin], acts: { chooseSender, record, cancel, pause, hold, release } }),
  children: [
    rules(delivery, {
      acts: { sendAgain, settleDoubt, ...reportActs, ...engagementActs },
      timers: { judgement: 'judge' },
    }),
  ],
})
