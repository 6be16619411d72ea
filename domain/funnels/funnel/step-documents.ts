import { parseStream } from '../../kernel/decider.ts'
import type { DomainEvent, JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents, Joined } from '../../kernel/resource.ts'
import type { AttachedProduct, FunnelEvent, StepRef } from './events.ts'
import { productsAfter } from './state.ts'
import type { SplitNode } from './tree.ts'

const stepsTouched = (event: FunnelEvent): readonly number[] => {
  switch (event.type) {
    case 'StepPlaced':
      return [event.data.step.show_page_step_id]
    case 'SplitCollapsed':
      return event.data.dropped_steps.map(({ show_page_step_id }) => show_page_step_id)
    case 'PageSwapped':
    case 'StepRemoved':
    case 'ProductsAttached':
    case 'ProductPromotedToBump':
    case 'BumpPreheadlineSet':
    case 'ProductsDetached':
      return [event.data.show_page_step_id]
    default:
      return []
  }
}

export const productsOf = (document: JsonObject | undefined): readonly AttachedProduct[] =>
  (document?.products ?? []) as readonly AttachedProduct[]

/** Functions of steps: which page of which funnel, with its products. Where it stands is said by the funnel's tree. */
export const showPageStepDocuments: Documents = {
  version: 1,
  touches: (event: DomainEvent) => stepsTouched(event as FunnelEvent),
  evolve(document, recorded) {
    const event = recorded as RecordedEvent & FunnelEvent
    switch (event.type) {
      case 'StepPlaced': {
        const { id, page_id } = event.data.step
        return { funnel_id: parseStream(event.stream).id, step_id: id, page_id, products: [] }
      }
      case 'PageSwapped':
        return { ...document, page_id: event.data.page_id }
      case 'StepRemoved':
      case 'SplitCollapsed':
        return undefined
      default:
        return document && { ...document, products: productsAfter(productsOf(document), event) ?? productsOf(document) }
    }
  },
  indexes: [{ fields: ['page_id'] }],
  aggregateId: (document) => Number(document.funnel_id),
}

/** Splits whose response an event changes: itself, and the one whose branch it changes. */
const splitsTouched = (event: FunnelEvent): readonly number[] => {
  const around = (split: number | null): number[] => (split === null ? [] : [split])
  switch (event.type) {
    case 'SplitInserted':
      return [event.data.split.id]
    case 'SplitCollapsed':
      return [event.data.split_id, ...event.data.dropped_split_ids]
    case 'VariantsWeighted':
    case 'SplitConditionSet':
      return [event.data.split_id]
    case 'StepPlaced':
    case 'PageSwapped':
      return around(event.data.place.split_id)
    case 'PageMoved':
      return [...new Set([...around(event.data.from.split_id), ...around(event.data.place.split_id)])]
    case 'StepRemoved':
      return around(event.data.from.split_id)
    default:
      return []
  }
}

/** Splits of one kind; what is in them is said by the funnel's tree. */
export const splitDocuments = (type: SplitNode['type']): Documents => ({
  version: 1,
  touches: (event: DomainEvent) => splitsTouched(event as FunnelEvent),
  evolve(document, recorded, id) {
    const event = recorded as RecordedEvent & FunnelEvent
    if (event.type === 'SplitInserted' && event.data.split.id === id) {
      return event.data.split.type === type ? { funnel_id: parseStream(event.stream).id } : undefined
    }
    return event.type === 'SplitCollapsed' ? undefined : document
  },
  indexes: [{ fields: ['funnel_id'] }],
  aggregateId: (document) => Number(document.funnel_id),
})

const OFF = { funnel_id: null, show_page_step_id: null, in_funnel: false }

/** Where a page stands, kept with the page so that pages are found by it. */
export const pagePlaces: Joined = {
  aggregate: 'funnel',
  fields(recorded) {
    const event = recorded as RecordedEvent & FunnelEvent
    const on = ({ show_page_step_id, page_id }: StepRef) => ({
      id: page_id,
      set: { funnel_id: parseStream(event.stream).id, show_page_step_id, in_funnel: true },
    })
    const off = ({ page_id }: { readonly page_id: number }) => ({ id: page_id, set: OFF })
    switch (event.type) {
      case 'StepPlaced':
        return [on(event.data.step)]
      case 'PageSwapped':
        return [off({ page_id: event.data.former_page_id }), on(event.data)]
      case 'StepRemoved':
        return [off(event.data)]
      case 'SplitCollapsed':
        return event.data.dropped_steps.map(off)
      default:
        return []
    }
  },
}

/** Fields of a page that no step shows. */
export const UNPLACED = OFF
