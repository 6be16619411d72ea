import { Type } from 'typebox'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import type { ReadInput } from '../resources/read-operation.ts'
import { type Placements, placementsIn } from './placements.ts'
import { totalsIn } from './totals.ts'
import { type Window, windowAsked } from './window.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

/** Parameters of a range of time. */
export const timerangeQuery = {
  timerange_start: time('Beginning of the range; default: 30 days ago. Of more than 90 days the last 90 are used'),
  timerange_end: time('End of the range, which is not part of it; default: now. An end in the future is now'),
}

/** Parameters of the statistics of funnels and pages. */
export const statisticsQuery = {
  ...timerangeQuery,
  live_mode: Type.Boolean({ description: 'Default true; false: what happened while funnels were in test mode' }),
}

type Input = Pick<ReadInput, 'query' | 'at' | 'asOf' | 'read' | 'load'>

/** Funnel or page whose numbers are asked for. */
interface Subject {
  readonly funnelId: number
  readonly stepIds: readonly number[]
}

/** What a request for statistics asks for, apart from its subject. */
export interface StatisticsRequest {
  readonly window: Window
  readonly live: boolean
  /** Returns the numbers of a funnel and of steps. */
  totals(subject: Subject): ReturnType<typeof totalsIn>
  /** Returns the entries of a split. */
  entries(splitId: number): Promise<Placements>
  /** Returns the currency of a workspace. */
  currency(workspaceId: number): Promise<string>
}

const liveIn = (sent: string | null): boolean | Refusal => {
  if (sent === null || sent === '' || sent === 'true') return true
  return sent === 'false' ? false : refuse.malformed('live_mode must be true or false', 'live_mode', 'type')
}

/** Reads what a request for statistics asks for. With `as_of`, that moment is now, and only what was recorded by then counts. */
export const statisticsAsked = ({ query, at, asOf, read, load }: Input): StatisticsRequest | Refusal => {
  const now = Date.parse(asOf !== undefined && asOf < at ? asOf : at)
  const window = windowAsked(query, now)
  const live = liveIn(query.get('live_mode'))
  if (window instanceof Refusal) return window
  if (live instanceof Refusal) return live
  return {
    window,
    live,
    totals: ({ funnelId, stepIds }) =>
      totalsIn({ funnelId, stepIds, live, window, ...(asOf !== undefined && { recordedUntil: now }) }, read),
    entries: (splitId) => placementsIn({ splitId, live, window }, read),
    currency: async (workspaceId) => String((await load.one('workspace', workspaceId))?.currency ?? 'USD'),
  }
}
