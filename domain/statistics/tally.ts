import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { order } from '../orders/order/model.ts'
import type { Tally } from '../resources/tally.ts'
import type { Addition } from './addition.ts'
import { BUCKETS, bucketChanges } from './buckets.ts'
import { entryChanges, entryCollection } from './entries.ts'
import { saleIn, salesFactsAfter } from './sales.ts'

const SESSION = 'visits/session'
const SUBMISSION = 'form_submission'
/** Collection of what must be known of orders that pages have sold. */
const ORDERS = 'statistics/order'

type Common = Pick<Addition, 'funnelId' | 'stepId' | 'live' | 'recordedAt'>
const NOTHING = { views: 0, unidentified: 0, optins: 0, sessionViews: 0, previousAt: null } as const

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

/**
 * Returns what a view adds. A view that arrives after a later one of the same session (`next_at`) takes its place between its neighbours: the later
 * one then has it as its previous view.
 */
const ofView = (event: RecordedEvent): readonly Addition[] => {
  const common = stepOf(event)
  const { data } = event
  const at = timeIn(data, 'viewed_at')
  if (!common || at === null || data.bot === true) return []
  if (data.consent === false) return [{ ...common, ...NOTHING, at, views: 1, unidentified: 1 }]
  const [previousAt, nextAt] = [timeIn(data, 'previous_at'), timeIn(data, 'next_at')]
  const view: Addition = { ...common, ...NOTHING, at, views: 1, sessionViews: 1, previousAt }
  if (nextAt === null) return [view]
  const next = { ...common, ...NOTHING, at: nextAt }
  return [view, { ...next, sessionViews: -1, previousAt }, { ...next, sessionViews: 1, previousAt: at }]
}

const ofSubmission = (event: RecordedEvent): readonly Addition[] => {
  const common = stepOf(event)
  return common ? [{ ...common, ...NOTHING, at: common.recordedAt, optins: 1 }] : []
}

const ofOrder = (event: RecordedEvent, facts: Document | undefined): readonly Addition[] => {
  const sale = saleIn(event, facts)
  const at = Date.parse(event.metadata.at)
  return sale ? [{ ...NOTHING, ...sale, at, recordedAt: at }] : []
}

const additionsOf = (event: RecordedEvent, facts: Document | undefined): readonly Addition[] => {
  switch (parseStream(event.stream).name) {
    case SESSION:
      return event.type === 'PageViewed' ? ofView(event) : []
    case SUBMISSION:
      return event.type === 'PageFormSubmitted' ? ofSubmission(event) : []
    default:
      return ofOrder(event, facts)
  }
}

/** Numbers of steps and funnels: views, sessions, opt-ins and sales, by day, hour and minute. */
export const statisticsTally: Tally = {
  name: 'statistics',
  version: 1,
  aggregates: [SESSION, SUBMISSION, order.name],
  collections: [{ name: BUCKETS, indexes: [] }, entryCollection, { name: ORDERS, ids: 'integer', indexes: [] }],
  facts: { collection: ORDERS, aggregate: order.name, after: salesFactsAfter },
  changes(event, facts) {
    const additions = additionsOf(event, facts)
    return additions.length === 0 ? [] : [...entryChanges(event, additions), ...bucketChanges(additions)]
  },
}
