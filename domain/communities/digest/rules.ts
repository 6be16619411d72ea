import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { dayAt, nextWallTime } from '../../kernel/values/instant.ts'
import { zoneOfWorkspace } from '../../resources/attributes/time-zone.ts'
import { digest } from './model.ts'

const { event } = digest
type Happens = Events<typeof digest>

/** Time of day at which digests are sent, in the zone of the workspace. */
const TIME = '08:00:00'
/** How far a digest reaches back at most, however long none was sent. */
const REACH_MS = 7 * 24 * 60 * 60_000

interface Facts {
  /** Zone of the workspace. */
  readonly zone: string
}

const loadFacts = async (
  { before, workspaceId }: DecisionContext<typeof digest>,
  { documents }: Reader,
): Promise<Facts> => ({
  zone: zoneOfWorkspace(await documents.get('workspace', before?.workspace_id ?? workspaceId)),
})

const nextAfter = (at: string, { zone }: Facts): string | null => nextWallTime(at, TIME, zone) ?? null

const begin = ({ before, at }: DecisionContext<typeof digest>, facts: Facts) =>
  before ? undefined : { next_at: nextAfter(at, facts) }

type Switch = { readonly is_on: boolean }

const turn = ({ before, wanted: { is_on }, at }: ActContext<typeof digest, Switch>, facts: Facts): Happens =>
  is_on === before.is_on ? [] : [event.DigestSwitched({ is_on, next_at: nextAfter(at, facts) })]

/** Returns the time from which on a digest tells what is new. Where nothing ran when it was due, it reaches back from then. */
const sinceOf = ({ last_at, created_at }: ActContext<typeof digest>['before'], due: string): string => {
  const reach = new Date(Date.parse(due) - REACH_MS).toISOString()
  const last = last_at ?? created_at
  return last > reach ? last : reach
}

/** Sends the digest of a day, once. What fell due while nothing could send it is one digest. */
const send = ({ before, at }: ActContext<typeof digest>, facts: Facts): Happens => {
  const { is_on, next_at, last_day } = before
  if (!is_on || next_at === null || next_at > at) return []
  const day = dayAt(at, facts.zone)
  const next = nextAfter(at, facts)
  if (last_day !== null && day <= last_day) return [event.DigestPutOff({ next_at: next })]
  return [event.DigestDue({ day, since: sinceOf(before, next_at), next_at: next })]
}

/** Decider of digests. */
export const digests = decider(digest, {
  rules: rules(digest, { loadFacts, save: [begin], acts: { turn, send }, timers: { send: 'send' } }),
})
