import type { ActContext, DecisionContext, Events, Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Detail, Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { address } from '../address/model.ts'
import { broadcast } from './model.ts'
import type { Outcomes } from './outcomes.ts'
import { loadReadiness, type OwnBodies, type Readiness } from './readiness.ts'
import { instantOfDay, isPast, isTooLate } from './schedule.ts'

const { event } = broadcast
type Happens = Events<typeof broadcast>
type Broadcast<Input = unknown> = ActContext<typeof broadcast, Input>

/** What the rules of a broadcast know besides its stream. */
export interface Facts {
  /** As it would be sent now; `undefined` where nothing is to be sent. */
  readonly readiness: Readiness | undefined
  readonly senders: readonly RecordOf<typeof address>[]
  readonly isComplete: boolean
  /** What is wrong with its texts. */
  readonly problems?: readonly Detail[]
}

const BEGINNING: readonly string[] = ['begin', 'resume', 'create']

type Loaded = DecisionContext<
  typeof broadcast,
  { readonly bodies: OwnBodies; readonly audience: unknown; readonly recipient_ids: readonly number[] }
>

type Stored = RecordOf<typeof broadcast>

/** Whether a broadcast that has begun meets a fault that lasts. */
const isAiling = ({ status, content }: Stored): boolean => status === 'unhealthy' && content !== null

/** Loads how a broadcast would be sent, for the acts by which it begins. */
export const loadActFacts = async (
  { act, before, after, wanted, workspaceId }: Loaded,
  read: Reader,
): Promise<Pick<Facts, 'readiness'>> => {
  if (!BEGINNING.includes(act)) return { readiness: undefined }
  // The audience of a new broadcast gets into it only by a later rule.
  const hasAudience = wanted.audience || (wanted.recipient_ids?.length ?? 0) > 0
  const draft = hasAudience ? { ...after, filter: {} } : after
  return { readiness: await loadReadiness(draft, before?.workspace_id ?? workspaceId, read, wanted.bodies) }
}

/** Returns the events by which sending begins, with all that is fixed from then on. */
export const begun = ({ content, sender, replyTo }: Readiness): Happens => [
  event.BroadcastSendingBegun({ content, sender, reply_to: replyTo }),
]

/** Returns the events of an order: to send at once, or at a time. */
export const ordered = (
  sendActionId: number,
  approvedBy: number | null,
  scheduledFor: string | null,
  readiness: Readiness,
): Happens => [
  event.SendActionAdded({ send_action_id: sendActionId, scheduled_for: scheduledFor, approved_by_id: approvedBy }),
  ...(scheduledFor === null ? begun(readiness) : []),
]

/** Returns the refusal of an order, with everything that is missing. */
export const notSendable = (name: string | null, missing: readonly string[]): Refusal =>
  refuse.invalid([`${name ?? ''} is not sendable.`, ...missing].join('; '), 'base', 'not_sendable')

/** Returns when a new broadcast asks to be sent; `undefined`: it stays a draft. */
const wishOf = ({ wanted, after, at }: Loaded, zone: string): string | null | undefined | Refusal => {
  if (wanted.send_immediately === undefined) return undefined
  if (wanted.send_immediately) return null
  if (after.send_at === null) return undefined
  const scheduledFor = instantOfDay(after, zone)
  if (scheduledFor === undefined) return refuse.invalid('send_at is not a valid date', 'send_at', 'invalid')
  return isPast(scheduledFor, at) ? refuse.invalid('send_at is in the past', 'send_at', 'past') : scheduledFor
}

/** Orders the sending of a new broadcast that says when it is to be sent. */
export const orderOnCreation = (context: Loaded, { readiness }: Facts): Happens | Refusal | undefined => {
  if (context.before || !readiness) return undefined
  const wish = wishOf(context, readiness.zone)
  if (wish === undefined || wish instanceof Refusal) return wish
  const [id = 0] = context.ids
  if (readiness.missing.length > 0) return notSendable(context.after.name, readiness.missing)
  return ordered(id, context.actor.membershipId ?? null, wish, readiness)
}

/** Begins, unless something is missing by now. @param orElse what happens then */
const beginUnless = (
  { before }: Broadcast,
  { readiness }: Facts,
  orElse: (reason: string) => Happens | Refusal,
): Happens | Refusal => {
  if (!readiness || before.send_action_id === null) return []
  return readiness.missing.length > 0 ? orElse(readiness.missing.join('; ')) : begun(readiness)
}

/** Begins a scheduled broadcast that is due. */
const begin = (context: Broadcast, facts: Facts): Happens | Refusal => {
  const { before, at } = context
  if (before.status !== 'scheduled') return []
  if (isTooLate(before.scheduled_for, at))
    return [event.BroadcastPaused({ status_reason: 'It was due more than 24 hours ago, when nothing could send it' })]
  return beginUnless(context, facts, (reason) => [event.BroadcastFellUnhealthy({ status_reason: reason })])
}

const pause = ({
  before,
  wanted: { reason = 'Somebody paused it' },
}: Broadcast<{ readonly reason?: string }>): Happens | Refusal =>
  before.status === 'sending' || before.status === 'scheduled' || isAiling(before)
    ? [event.BroadcastPaused({ status_reason: reason })]
    : refuse.invalid('Only a broadcast that is scheduled or being sent can be paused', 'status', 'inclusion')

/** Goes on, or begins what was not begun in time. */
const resume = (context: Broadcast, facts: Facts): Happens | Refusal => {
  const { before, at } = context
  if (before.status !== 'paused' && (before.status !== 'unhealthy' || isAiling(before)))
    return refuse.invalid('Only a broadcast that is paused can be resumed', 'status', 'inclusion')
  const isEarly = before.scheduled_for !== null && Date.parse(before.scheduled_for) > Date.parse(at)
  if (before.content !== null || isEarly) return [event.BroadcastResumed({})]
  return beginUnless(context, facts, (reason) => notSendable(before.name, [reason]))
}

interface Resolved {
  readonly target_count: number
  readonly mailing_ids: readonly number[]
}

const completed = (sendActionId: number): Happens => [event.BroadcastCompleted({ send_action_id: sendActionId })]

/** Fixes the audience. */
const resolve = ({ before, wanted }: Broadcast<Resolved>): Happens => {
  const { target_count, mailing_ids } = wanted
  const { send_action_id: id, status, content } = before
  if (id === null || content === null || before.target_count !== null || isOver(status)) return []
  return [
    event.BroadcastAudienceResolved({ send_action_id: id, target_count, mailing_ids }),
    ...(mailing_ids.length === 0 ? completed(id) : []),
  ]
}

const isOver = (status: string): boolean => status === 'complete' || status === 'canceled'

interface Settled {
  readonly mailing_id: number
  readonly outcomes: Outcomes
  /** Whether the mailing to the piece never began. */
  readonly unbegun?: boolean
}

/** Counts the outcomes of one piece, once. */
const settle = ({ before, wanted }: Broadcast<Settled>): Happens => {
  const { mailing_id, outcomes, unbegun } = wanted
  const { mailing_ids, settled_ids, send_action_id: id } = before
  if (id === null || !mailing_ids.includes(mailing_id) || settled_ids.includes(mailing_id)) return []
  return [
    event.BroadcastPieceSettled({ send_action_id: id, mailing_id, outcomes, ...(unbegun && { unbegun }) }),
    ...(settled_ids.length + 1 === mailing_ids.length ? completed(id) : []),
  ]
}

/** Notes that a fault that is no recipient's lasts. */
const sicken = ({ before, wanted }: Broadcast<{ readonly reason: string }>): Happens =>
  before.status === 'sending' ? [event.BroadcastFellUnhealthy({ status_reason: wanted.reason })] : []

const recover = ({ before }: Broadcast): Happens => (isAiling(before) ? [event.BroadcastRecovered({})] : [])

/** Acts of a broadcast. */
export const acts = { begin, pause, resume, resolve, settle, sicken, recover }
