import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type BirthContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import { keyOfSession } from '../../kernel/model/personal.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { arrive, lostBeforeFirst, type ViewOfLoad } from './loads.ts'
import { isCounted, type Landing, placeOf, type Session, session, type Typed, type View } from './model.ts'

const { event } = session
type Happens = Events<typeof session>

/** Minutes without a view or a submission after which a session is over. */
const IDLE_MS = 30 * 60_000

/** View for a session. */
export type Arriving = {
  readonly view: View
  /** Last view of the load before it in its tab. */
  readonly after?: ViewOfLoad
  /** Where the visitor came in, if this is the first view of its load. */
  readonly landing?: Landing
  /** Said by the caller where the session does not remember the load: it has not arrived before. */
  readonly isNew?: true
}

type Birth = BirthContext<typeof session, { readonly view?: View; readonly isFirst?: boolean }>
type Act<Input> = ActContext<typeof session, Input>

/** Whether a session is over at a time, because its visitor had been idle for too long by then. */
export const isOver = ({ active_at, created_at }: Pick<Session, 'active_at' | 'created_at'>, at: string): boolean =>
  Date.parse(at) - Date.parse(active_at ?? created_at) > IDLE_MS

const ownKey = ({ id }: Birth) => ({ key_number: keyOfSession(id) })

/** Data of an event by which a number of views are lost. */
const lostData = (lost: number) => (lost === 0 ? {} : { lost })

/** In a browser without a session, the first view to arrive also tells of those before it in its load. */
const firstView = ({ wanted: { view, isFirst } }: Birth): Happens =>
  view ? [event.PageViewed({ ...view, ...lostData(isFirst ? lostBeforeFirst(view) : 0), previous_at: null })] : []

/** Data of the first view of a place by a visitor who is known, so that the contact learns of it. */
const knownVisitor = ({ contact_id }: Pick<Session, 'contact_id'>, previous_at: string | null) =>
  contact_id !== null && previous_at === null ? { contact_id } : {}

/** A session whose only load began with this view began there, however late it arrives. */
const landingOf = ({ loads }: Session, { view: { number }, landing }: Arriving, isLate: boolean) =>
  landing && isLate && number === 1 && loads.length === 1 ? { landing } : {}

/**
 * Counts a view once. A view after a long time belongs to a new session. Views of one step keep their order, however late they arrive. One of a load
 * that is not remembered any more is counted when the caller says that it `isNew`. A lost view that arrives late counts back.
 */
const view = ({ before, wanted }: Act<Arriving>): Happens | Refusal => {
  const { view: sent, after } = wanted
  const { isRepeated, isForgotten, isLate, lost, isAfterLost } = arrive(before.loads, sent, after)
  if (isRepeated) return []
  if (isForgotten && !wanted.isNew)
    return refuse.conflict('The view may have been counted before', 'session', 'forgotten')
  if (isOver(before, sent.viewed_at)) return refuse.conflict('The session is over', 'session', 'over')
  const previous_at = isCounted(sent) ? (before.seen[placeOf(sent)] ?? null) : null
  const viewed_at = previous_at !== null && previous_at > sent.viewed_at ? previous_at : sent.viewed_at
  const told = { ...lostData(lost), ...(isAfterLost && { after }), ...knownVisitor(before, previous_at) }
  return [event.PageViewed({ ...sent, ...told, ...landingOf(before, wanted, isLate), viewed_at, previous_at })]
}

const isSame = (one: Typed | null, other: Typed): boolean => JSON.stringify(one ?? {}) === JSON.stringify(other)

/** Says who the visitor is, and what was typed. A session belongs to one contact. */
const identify = ({ before, wanted, at }: Act<{ readonly contact_id: number | null; readonly typed: Typed }>) => {
  const contact_id = wanted.contact_id ?? before.contact_id
  if (before.contact_id !== null && before.contact_id !== contact_id)
    return refuse.conflict('The session belongs to another contact', 'session', 'other_contact')
  const typed = { ...before.typed, ...wanted.typed }
  if (contact_id === before.contact_id && isSame(before.typed, typed) && !isOver(before, at)) return []
  const { ip, user_agent, referrer } = before
  return [eventNamed(session, 'VisitorIdentified', { contact_id, personal: { ip, user_agent, referrer, typed } })]
}

/** Hands the session over to the first browser that trades the ticket. */
const handOver = ({ before, wanted }: Act<{ readonly ticket: string; readonly key: string }>): Happens | Refusal => {
  const { ticket, key } = wanted
  const known = before.traded.find((one) => one.ticket === ticket)
  if (!known) return [event.SessionHandedOver({ ticket, key })]
  return known.key === key ? [] : refuse.conflict('The ticket has been traded', 'ticket', 'traded')
}

const erase = ({ before }: Act<unknown>): Happens => (before.erased ? [] : [event.SessionErased()])

/** Rules of the sessions of visitors (spec 4.3). */
export const sessions = decider(session, {
  rules: rules(session, {
    births: { begin: [ownKey, firstView] },
    acts: { view, identify, handOver, erase },
    allowedAfterEnd: ['erase'],
  }),
})
