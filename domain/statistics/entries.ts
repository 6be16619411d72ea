import type { CollectionSpec, Document } from '../kernel/ports/read-models.ts'
import type { RecordedEvent } from '../kernel/values/event.ts'
import type { TallyChange } from '../resources/tally.ts'
import { type Addition, salesIn, storedSales } from './addition.ts'
import { scopeKey } from './buckets.ts'

/**
 * Collection of the single additions. Sums are exact between whole minutes; at a window's edges, and for what was recorded only after a moment of the
 * past, the additions themselves are read.
 */
export const ENTRIES = 'statistics/entry'

export const entryCollection: CollectionSpec = {
  name: ENTRIES,
  ids: 'integer',
  indexes: [
    { fields: ['scope'], sort: 'at' },
    { fields: ['scope'], sort: 'previous_at' },
  ],
}

/** Returns the change that stores an addition. An event makes one at most, so the position of the event is the id of the entry. */
export const entryChange = ({ position }: RecordedEvent, addition: Addition): TallyChange => ({
  collection: ENTRIES,
  id: position,
  isNew: true,
  addTo: (content) => void Object.assign(content, stored(addition)),
})

const stored = (addition: Addition) => {
  const { funnelId, stepId, live, at, recordedAt, views, unidentified, optins, sessionViews, previousAt, lost } =
    addition
  const { currency, sums } = addition
  return {
    scope: scopeKey({ funnelId }, live),
    step: stepId,
    at,
    recorded_at: recordedAt,
    ...(views !== 0 && { views }),
    ...(unidentified !== 0 && { unidentified }),
    ...(lost !== 0 && { lost }),
    ...(optins !== 0 && { optins }),
    ...(sessionViews !== 0 && { session_views: sessionViews }),
    previous_at: previousAt,
    ...(currency !== undefined && sums && { currency, sums: storedSales(sums) }),
  }
}

/** An addition as it is read back. */
export type Entry = Omit<Addition, 'funnelId' | 'live'>

/** Reads an addition out of its document. */
export const entryIn = (document: Document): Entry => {
  const { step, at, recorded_at, previous_at, currency } = document
  return {
    stepId: Number(step),
    at: Number(at),
    recordedAt: Number(recorded_at),
    views: Number(document.views ?? 0),
    unidentified: Number(document.unidentified ?? 0),
    lost: Number(document.lost ?? 0),
    optins: Number(document.optins ?? 0),
    sessionViews: Number(document.session_views ?? 0),
    previousAt: typeof previous_at === 'number' ? previous_at : null,
    ...(typeof currency === 'string' && { currency, sums: salesIn(document.sums) }),
  }
}
