import type { JsonObject } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import type { Joined } from '../../resources/resource.ts'
import type { StepRef, TreeEvents } from './tree-events.ts'

const on = ({ show_page_step_id, page_id }: StepRef, funnel_id: number) => ({
  id: page_id,
  set: { funnel_id, show_page_step_id, in_funnel: true },
})
const off = (page_id: number) => ({ id: page_id, set: { funnel_id: null, show_page_step_id: null, in_funnel: false } })

type PlacesAfter = { places(data: JsonObject, funnelId: number): ReturnType<Joined['fields']> }['places']

const placesAfter: Readonly<Record<string, PlacesAfter>> = {
  StepPlaced: ({ step }: TreeEvents['StepPlaced'], funnelId) => [on(step, funnelId)],
  PageSwapped: (data: TreeEvents['PageSwapped'], funnelId) => [off(data.former_page_id), on(data, funnelId)],
  StepRemoved: ({ page_id }: TreeEvents['StepRemoved']) => [off(page_id)],
  SplitCollapsed: ({ dropped_steps }: TreeEvents['SplitCollapsed']) => dropped_steps.map(({ page_id }) => off(page_id)),
}

/** Place of a page in a funnel, stored in the page's document so that pages can be found by it. */
export const pagePlaces: Joined = {
  aggregate: 'funnel',
  fields: ({ type, data, stream }) => placesAfter[type]?.(data, parseStream(stream).id) ?? [],
}
