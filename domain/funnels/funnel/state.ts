import type { Happened } from '../../kernel/decider.ts'
import type { AttachedProduct, FunnelEvent } from './events.ts'
import { grow } from './growth.ts'
import type { Tree } from './tree.ts'

/** What decisions about a funnel need. */
export interface FunnelState {
  readonly status: 'absent' | 'present'
  readonly workspaceId: number
  readonly name: string
  readonly domainId: number | null
  readonly headCode: string | null
  readonly footerCode: string | null
  readonly live: boolean
  readonly tree: Tree
  /** Products of the steps that have any, in the order in which they are shown. */
  readonly products: ReadonlyMap<number, readonly AttachedProduct[]>
}

export const initial: FunnelState = {
  status: 'absent',
  workspaceId: 0,
  name: '',
  domainId: null,
  headCode: null,
  footerCode: null,
  live: false,
  tree: [],
  products: new Map(),
}

/** Products of a step after an event, or `undefined` when the event says nothing about them. */
export const productsAfter = (
  products: readonly AttachedProduct[],
  event: FunnelEvent,
): readonly AttachedProduct[] | undefined => {
  switch (event.type) {
    case 'ProductsAttached':
      return [...products, ...event.data.products]
    case 'ProductPromotedToBump':
    case 'BumpPreheadlineSet': {
      const { product_id, bump_preheadline } = event.data
      return products.map((one) => (one.product_id === product_id ? { ...one, bump: true, bump_preheadline } : one))
    }
    case 'ProductsDetached': {
      const { product_ids } = event.data
      return products.filter(({ product_id }) => !product_ids.includes(product_id))
    }
    default:
      return undefined
  }
}

const withProducts = (state: FunnelState, event: FunnelEvent): FunnelState => {
  if (event.type === 'StepRemoved' || event.type === 'SplitCollapsed') {
    const gone = event.type === 'StepRemoved' ? [event.data] : event.data.dropped_steps
    const products = new Map(state.products)
    for (const { show_page_step_id } of gone) products.delete(show_page_step_id)
    return { ...state, products }
  }
  if (!('show_page_step_id' in event.data)) return state
  const step = Number(event.data.show_page_step_id)
  const after = productsAfter(state.products.get(step) ?? [], event)
  return after ? { ...state, products: new Map(state.products).set(step, after) } : state
}

export const evolve = (state: FunnelState, event: Happened<FunnelEvent>): FunnelState => {
  switch (event.type) {
    case 'FunnelCreated': {
      const { name, domain_id: domainId, head_code: headCode, footer_code: footerCode } = event.data
      return {
        ...state,
        status: 'present',
        workspaceId: event.metadata.workspace_id ?? 0,
        name,
        domainId,
        headCode,
        footerCode,
      }
    }
    case 'FunnelRenamed':
      return { ...state, name: event.data.name }
    case 'FunnelDomainChosen':
      return { ...state, domainId: event.data.domain_id }
    case 'FunnelCodeSet': {
      const { head_code: headCode = state.headCode, footer_code: footerCode = state.footerCode } = event.data
      return { ...state, headCode, footerCode }
    }
    case 'FunnelWentLive':
    case 'FunnelReturnedToTest':
      return { ...state, live: event.type === 'FunnelWentLive' }
    default: {
      const tree = grow(state.tree, event)
      return withProducts(tree === state.tree ? state : { ...state, tree }, event)
    }
  }
}
