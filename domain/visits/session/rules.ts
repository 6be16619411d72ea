import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type BirthContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import { keyOfSession } from '../../kernel/model/personal.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import {
  isCounted,
  lostBefore,
  placeOf,
  REMEMBERED_HITS,
  type Session,
  session,
  type Typed,
  type View,
  type ViewOfLoad,
} from './model.ts'

const { event } = session
type Happens = Events<typeof session>

/** Minutes without a view or a submission after which a session is over. */
const IDLE_MS = 30 * 60_000

/** Most views that one view can show to be lost: numbers come from strangers. */
const MOST_LOST = 20

/** View, and the last view of the load before it in its tab. */
interface Arriving {
  readonly view: View
  readonly after?: ViewOfLoad
}

type Birth = BirthContext<typeof session, { readonly view?: View; readonly lost?: number }>
type Act<Input> = ActContext<typeof session, Input>

/** Whether a session is over at a time, because its visitor had been idle for too long by then. */
export const isOver = ({ active_at, created_at }: Pick<Session, 'active_at' | 'created_at'>, at: string): boolean =>
  Date.parse(at) - Date.parse(active_at ?? created_at) > IDLE_MS

const ownKey = ({ id }: Birth) => ({ key_number: keyOfSession(id) })

/** Returns the field of an event that says how many views are lost. */
const withLost = (lost: number) => (lost === 0 ? {} : { lost: Math.min(lost, MOST_LOST) })

const firstView = ({ wanted: { view, lost = 0 } }: Birth): Happens =>
  view ? [event.PageViewed({ ...view, ...withLost(lost), previous_at: null })] : []

/** Returns what a view tells of those before it. A lost view that arrives late counts back. */
const told = ({ loads }: Pick<Session, 'loads'>, { view, after }: Arriving) => {
  const { within, between } = lostBefore(loads, view, after)
  return { ...withLost(within + between), ...(between > 0 && { after }) }
}

/**
 * Counts a view once. A view after a long time belongs to a new session. Views of one step keep their order, however late they arrive. When the ids of
 * earlier views are forgotten, the caller has to say that it `isNew`.
 */
const view = ({ before, wanted }: Act<Arriving & { readonly isNew?: boolean }>): Happens | Refusal => {
  const { view: sent } = wanted
  if (before.hits.includes(sent.hit)) return []
  if (before.hits.length >= REMEMBERED_HITS && !wanted.isNew)
    return refuse.conflict('The view may have been counted before', 'session', 'forgotten')
  if (isOver(before, sent.viewed_at)) return refuse.conflict('The session is over', 'session', 'over')
  const previous_at = isCounted(sent) ? (before.seen[placeOf(sent)] ?? null) : null
  const viewed_at = previous_at !== null && previous_at > sent.viewed_at ? previous_at : sent.viewed_at
  return [event.PageViewed({ ...sent, ...told(before, wanted), viewed_at, previous_at })]
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
