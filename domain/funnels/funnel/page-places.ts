import type { JsonObject } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import type { Joined } from '../../resources/resource.ts'
import type { funnel } from './model.ts'
import type { StepRef, TreeEvents } from './tree-events.ts'

const on = ({ show_page_step_id, page_id }: StepRef, funnel_id: number) => ({
  id: page_id,
  set: { funnel_id, show_page_step_id, in_funnel: true },
})
const off = (page_id: number) => ({ id: page_id, set: { funnel_id: null, show_page_step_id: null, in_funnel: false } })
/** A page whose place is elsewhere in the same funnel, or whose products are others. */
const touched = (page_id: number) => ({ id: page_id, set: {} })

type PlacesAfter = { places(data: JsonObject, funnelId: number): ReturnType<Joined['fields']> }['places']

const productsChanged: PlacesAfter = ({ page_id }) => (typeof page_id === 'number' ? [touched(page_id)] : [])

const placesAfter: Readonly<Record<string, PlacesAfter>> = {
  StepPlaced: ({ step }: TreeEvents['StepPlaced'], funnelId) => [on(step, funnelId)],
  PageSwapped: (data: TreeEvents['PageSwapped'], funnelId) => [off(data.former_page_id), on(data, funnelId)],
  PageMoved: ({ page_id }: TreeEvents['PageMoved']) => [touched(page_id)],
  StepRemoved: ({ page_id }: TreeEvents['StepRemoved']) => [off(page_id)],
  SplitCollapsed: ({ dropped_steps, moved_page_ids = [] }: TreeEvents['SplitCollapsed']) => [
    ...dropped_steps.map(({ page_id }) => off(page_id)),
    ...moved_page_ids.map(touched),
  ],
  ProductsAttached: productsChanged,
  ProductPromotedToBump: productsChanged,
  BumpPreheadlineSet: productsChanged,
  ProductsDetached: productsChanged,
} satisfies Partial<Record<keyof (typeof funnel)['events'], PlacesAfter>>

/**
 * Place of a page in a funnel, stored in the page's document so that pages can be found by it. A change of the place or of the products counts as a
 * change of the page.
 */
export const pagePlaces: Joined = {
  aggregate: 'funnel',
  fields: ({ type, data, stream, metadata }) =>
    (placesAfter[type]?.(data, parseStream(stream).id) ?? []).map(({ id, set }) => ({
      id,
      set: { ...set, updated_at: metadata.at },
    })),
}
