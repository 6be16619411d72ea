import { formSubmission } from '../forms/form-submission/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { order } from '../orders/order/model.ts'
import type { Tally } from '../resources/tally.ts'
import { placement } from '../visits/placement/model.ts'
import { session } from '../visits/session/model.ts'
import type { Addition } from './addition.ts'
import { BUCKETS, bucketChanges } from './buckets.ts'
import { entryChange, entryCollection } from './entries.ts'
import { placementChanges } from './placements.ts'
import { saleIn, salesFactsAfter } from './sales.ts'

const VIEWED = session.event.PageViewed.type
const PLACED = placement.event.EntryPlaced.type
const SUBMITTED = formSubmission.event.PageFormSubmitted.type
/** Collection of what must be known of orders that pages have sold. */
const ORDERS = 'statistics/order'

type Common = Pick<Addition, 'funnelId' | 'stepId' | 'live' | 'recordedAt'>
const NOTHING = { views: 0, unidentified: 0, lost: 0, optins: 0, sessionViews: 0, previousAt: null } as const

/** Returns the step that an event names; `undefined` where it was outside any funnel. */
const stepOf = ({ data, metadata }: RecordedEvent): Common | undefined => {
  const { funnel_id, show_page_step_id, live_mode } = data
  if (typeof funnel_id !== 'number' || typeof show_page_step_id !== 'number') return undefined
  return {
    funnelId: funnel_id,
    stepId: show_page_step_id,
    live: live_mode === true,
    recordedAt: Date.parse(metadata.at),
  }
}

const timeIn = (data: JsonObject, name: string): number | null => {
  const value = data[name]
  return typeof value === 'string' ? Date.parse(value) : null
}

/** Returns what a view adds. The views of one step in a session are in the order of their times. */
const ofView = (event: RecordedEvent): Addition | undefined => {
  const step = stepOf(event)
  const { data } = event
  const at = timeIn(data, 'viewed_at')
  if (!step || at === null || data.bot === true) return undefined
  const { funnelId, stepId, live, recordedAt } = step
  const identified = data.consent === false ? 0 : 1
  // Written out, because there are far more views than anything else, and copying objects into it would take five times as long.
  return {
    funnelId,
    stepId,
    live,
    at,
    recordedAt,
    views: 1,
    unidentified: 1 - identified,
    lost: Number(data.lost ?? 0),
    optins: 0,
    sessionViews: identified,
    previousAt: identified === 0 ? null : timeIn(data, 'previous_at'),
  }
}

const ofSubmission = (event: RecordedEvent): Addition | undefined => {
  const common = stepOf(event)
  return common && { ...common, ...NOTHING, at: common.recordedAt, optins: 1 }
}

const ofOrder = (event: RecordedEvent, facts: Document | undefined): Addition | undefined => {
  const sale = saleIn(event, facts)
  const at = Date.parse(event.metadata.at)
  return sale && { ...NOTHING, ...sale, at, recordedAt: at }
}

/** Returns what an event adds. */
const additionOf = (event: RecordedEvent, facts: Document | undefined): Addition | undefined => {
  switch (parseStream(event.stream).name) {
    case session.name:
      return event.type === VIEWED ? ofView(event) : undefined
    case formSubmission.name:
      return event.type === SUBMITTED ? ofSubmission(event) : undefined
    default:
      return ofOrder(event, facts)
  }
}

/** Numbers of steps, funnels and splits: views, sessions, opt-ins, sales and entries, by day, hour and minute. */
export const statisticsTally: Tally = {
  name: 'statistics',
  version: 4,
  aggregates: [session.name, formSubmission.name, order.name, placement.name],
  collections: [{ name: BUCKETS, indexes: [] }, entryCollection, { name: ORDERS, ids: 'integer', indexes: [] }],
  facts: { collection: ORDERS, aggregate: order.name, after: salesFactsAfter },
  changes(event, facts) {
    if (event.type === PLACED) return placementChanges(event)
    const addition = additionOf(event, facts)
    return addition === undefined ? [] : [entryChange(event, addition), ...bucketChanges(addition)]
  },
}
