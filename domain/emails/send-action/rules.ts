import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { notSendable, ordered } from '../broadcast/acts.ts'
import { broadcast } from '../broadcast/model.ts'
import { loadReadiness, type Readiness } from '../broadcast/readiness.ts'
import { isPast, readSendAt } from '../broadcast/schedule.ts'
import { sendAction } from './model.ts'

const { event } = broadcast
type Happens = Events<typeof broadcast>
/** `send_at` as it was sent: its hour counts in the zone of the workspace. */
type Order = DecisionContext<typeof sendAction, { readonly send_at: string | null }>

/** Loads how the broadcast would be sent now. */
const loadFacts = async ({ act, records }: Order, read: Reader): Promise<Readiness | undefined> => {
  const of = act === 'create' ? records.root(broadcast) : undefined
  return of && loadReadiness(of, of.workspace_id ?? 0, read)
}

/** Returns the instant for which the broadcast is scheduled, `null` for at once, or what is wrong with it. */
const instantOf = (sent: string | null | undefined, zone: string, at: string): { at: string | null } | string => {
  if (sent === null || sent === undefined || sent === '') return { at: null }
  const instant = readSendAt(sent, zone)
  if (instant === undefined) return 'send_at is not a valid datetime'
  return isPast(instant, at) ? 'send_at is in the past' : { at: instant }
}

const create = (context: Order, readiness: Readiness | undefined): Happens | Refusal => {
  const { id, records, wanted, at, actor } = context
  const of = records.root(broadcast)
  if (!of || !readiness) return refuse.notFound()
  if (of.status !== 'draft') return refuse.invalid(`${of.name} is ${of.status} already`, 'base', 'not_draft')
  const instant = instantOf(wanted.send_at, readiness.zone, at)
  const problems = [...readiness.missing, ...(typeof instant === 'string' ? [instant] : [])]
  if (typeof instant === 'string' || problems.length > 0) return notSendable(of.name, problems)
  return ordered(id, actor.membershipId ?? null, instant.at, readiness)
}

/** Takes an order back. Where sending has begun, all mails are canceled that are not yet on their way. */
const remove = ({ id, records }: ActContext<typeof sendAction>): Happens | Refusal => {
  const of = records.root(broadcast)
  if (!of || of.send_action_id !== id || of.status === 'complete' || of.status === 'canceled')
    return refuse.conflict('The broadcast is sent', 'status')
  if (of.content === null) return [event.SendActionRemoved({ send_action_id: id })]
  return [
    event.BroadcastCanceled({}),
    ...(of.target_count === null ? [event.BroadcastCompleted({ send_action_id: id })] : []),
  ]
}

/** Rules of orders to send. */
export const sendActionRules = rules(sendAction, { loadFacts, create, remove })
