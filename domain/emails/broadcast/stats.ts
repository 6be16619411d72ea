import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { DAY_MS, outwardMinutes, timerangeOf, timerangeSchema, type Window } from '../../statistics/public.ts'
import { OUTCOMES } from '../mailing/outcomes.ts'
import { mailNumbers, performanceSchema, ratesOf, revenueFields, revenueOf, shared } from '../statistics/performance.ts'
import { MAIL_SUMS, outcomesId } from '../statistics/tally.ts'
import { broadcast } from './model.ts'
import { type Outcomes, totalOf } from './outcomes.ts'

const progressSchema = Type.Object({
  total: nullableInteger,
  queued: Type.Integer({ description: 'Contacts without an outcome, while nothing is sent' }),
  processing: Type.Integer({ description: 'Contacts without an outcome, while it is sent' }),
  sent: Type.Integer({ description: 'Contacts whose mail was handed over, or kept as a file' }),
  failed: Type.Integer({ description: 'Contacts who got nothing; outcomes say why' }),
})

export const statsSchema = Type.Object({
  progress: progressSchema,
  outcomes: Type.Object(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Type.Integer()])), {
    description: 'Contacts by what became of their mail, as it is known now',
  }),
  timerange: timerangeSchema,
  performance: performanceSchema('delivered'),
  revenue: Type.Object({ ...revenueFields, currency: Type.String() }),
})

type Broadcast = RecordOf<typeof broadcast>

const open = recordOf(broadcast)

/** Time after completion in which opens, clicks and sales count. */
const COUNTED_MS = 14 * DAY_MS
const MOST_MS = 90 * DAY_MS

/** Returns the time in which what a broadcast brought is counted; for one that never began, the last 90 days. */
const windowOf = ({ sending_at, complete_at }: Broadcast, now: number): Window => {
  if (sending_at === null) return { from: now - MOST_MS, to: now }
  const from = Date.parse(sending_at)
  const end = complete_at === null ? now : Date.parse(complete_at) + COUNTED_MS
  return { from, to: Math.min(end, from + MOST_MS, now) }
}

/** Returns how many contacts have which outcome at this moment. */
const outcomesOf = async (id: number, read: ReadInput['read']): Promise<Outcomes> => {
  const stored = (await read.get(MAIL_SUMS, outcomesId(id))) ?? {}
  const known: JsonObject = isJsonObject(stored) ? stored : {}
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Number(known[outcome] ?? 0)]))
}

const progressOf = ({ status, target_count: total }: Broadcast, outcomes: Outcomes) => {
  const settled = totalOf(outcomes)
  const left = Math.max(0, (total ?? 0) - settled)
  const sent = (outcomes.sent ?? 0) + (outcomes.kept ?? 0)
  const isGoing = status === 'sending' || status === 'canceled'
  return { total, queued: isGoing ? 0 : left, processing: isGoing ? left : 0, sent, failed: settled - sent }
}

type Input = Pick<ReadInput, 'document' | 'query' | 'read' | 'load' | 'at'>

/** Returns how far a broadcast is, what became of its mails, and what they brought. */
export const readStats = async ({ document, query, read, load, at }: Input): Promise<JsonObject | Refusal> => {
  for (const name of ['timerange_start', 'timerange_end'])
    if (query.has(name))
      return refuse.invalid(`${name} is not taken: a broadcast has a range of its own`, name, 'unpermitted')
  const of = open(document ?? {})
  const now = Date.parse(at)
  // The sums are of minutes. Before its first one there is nothing of a broadcast.
  const window = outwardMinutes(windowOf(of, now))
  const workspace = await load.one('workspace', of.workspace_id)
  const currency = String(workspace?.currency ?? 'USD')
  const [outcomes, numbers] = await Promise.all([
    outcomesOf(of.id, read),
    mailNumbers({ broadcastId: of.id }, window, currency, read),
  ])
  const progress = progressOf(of, outcomes)
  const audience = of.target_count ?? 0
  return {
    progress,
    outcomes,
    timerange: timerangeOf({ from: window.from, to: Math.min(window.to, now) }),
    performance: { delivered: progress.sent, ...shared(numbers), ...ratesOf(numbers, audience) },
    revenue: { ...revenueOf(numbers, audience, currency), currency },
  }
}
