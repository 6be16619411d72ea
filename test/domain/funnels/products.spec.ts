import type { AttachedProduct } from '../../../domain/funnels/funnel/products.ts'
import { funnels } from '../../../domain/funnels/funnel/rules.ts'
import type { WantedProducts } from '../../../domain/funnels/funnel/wanted.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { ask, given } from '../../support/decider.ts'
import { arriving, facts, funnelOf, placed, trunk } from './samples.ts'

const ref = (id: number) => ({ id, sent: `p-${id}` })
const wanted = (mains: readonly number[], bumps: readonly (readonly [number, string?])[] = []): WantedProducts => ({
  mains: mains.map(ref),
  bumps: bumps.map(([id, preheadline]) => ({ ...ref(id), ...(preheadline !== undefined && { preheadline }) })),
})
const arrange = (products: WantedProducts, page = 1) => ask('arrangePage', { page: arriving(page), products })
const place = (products: WantedProducts) => ask('placePage', { page: arriving(1), products }, { ids: [101, 201] })
const main = (product_id: number): AttachedProduct => ({ product_id, bump: false, bump_preheadline: null })
const bump = (product_id: number, bump_preheadline: string | null = null): AttachedProduct => ({
  product_id,
  bump: true,
  bump_preheadline,
})
const attached = (...products: readonly AttachedProduct[]): DomainEvent => ({
  type: 'ProductsAttached',
  data: { show_page_step_id: 201, page_id: 1, products },
})
const known = facts([], {
  products: { 11: { sellable: true }, 12: { sellable: true }, 13: { sellable: true }, 19: { sellable: false } },
})

describe('products of a step', () => {
  it('are added in the order of the request, mains before bumps, each once', () => {
    given(funnels, ...funnelOf(1))
      .when(arrange(wanted([12, 11, 12], [[13, 'Wait!']])), known)
      .then(attached(main(12), main(11), bump(13, 'Wait!')))
    given(funnels, ...funnelOf(1), attached(main(11), bump(12)))
      .when(arrange(wanted([11, 12])), known)
      .thenNothing()
  })

  it('become bumps in place, and keep their copy unless another is sent', () => {
    const promoted = { show_page_step_id: 201, page_id: 1, product_id: 11, bump_preheadline: 'Add me' }
    given(funnels, ...funnelOf(1), attached(main(11), main(12)))
      .when(arrange(wanted([], [[11, 'Add me']])), known)
      .then({ type: 'ProductPromotedToBump', data: promoted })
    given(funnels, ...funnelOf(1), attached(bump(11, 'Old')))
      .when(arrange(wanted([], [[11, 'New']])), known)
      .then({ type: 'BumpPreheadlineSet', data: { ...promoted, bump_preheadline: 'New' } })
    given(funnels, ...funnelOf(1), attached(bump(11, 'Old')))
      .when(arrange(wanted([], [[11]])), known)
      .thenNothing()
  })

  it('are added all or not at all', () => {
    given(funnels, ...funnelOf(1))
      .when(arrange(wanted([11], [[11]])), known)
      .refuses('malformed', 'Product(s) cannot be listed in both product_ids and bumps: p-11')
    given(funnels, ...funnelOf(1))
      .when(arrange(wanted([11, 98], [[99]])), known)
      .refuses('malformed', 'Product(s) not found: p-98, p-99')
    given(funnels, ...funnelOf(1))
      .when(arrange(wanted([11], [[19]])), known)
      .refuses('invalid', 'Product(s) cannot be bumps without a sellable price: p-19')
    given(funnels, ...funnelOf(1))
      .when(arrange(wanted([11]), 2), known)
      .refuses('malformed', "Cannot attach products to a page that isn't part of a funnel.")
  })

  it('prevent the placement of a page when one of them does not exist', () => {
    given(funnels, ...funnelOf())
      .when(place(wanted([99])), known)
      .refuses('malformed', 'Product(s) not found: p-99')
    given(funnels, ...funnelOf())
      .when(place(wanted([11])), known)
      .then(placed(1, trunk(0)), attached(main(11)))
  })

  it('stay with the step when it gets another page', () => {
    const swap = ask('arrangePage', { page: arriving(3), onto: 201, products: wanted([], [[11]]) })
    const data = {
      show_page_step_id: 201,
      page_id: 3,
      step_id: 101,
      former_page_id: 1,
      current_path: '/p1',
      place: trunk(0),
    }
    given(funnels, ...funnelOf(1), attached(main(11)))
      .when(swap, known)
      .then(
        { type: 'PageSwapped', data },
        {
          type: 'ProductPromotedToBump',
          data: { show_page_step_id: 201, page_id: 3, product_id: 11, bump_preheadline: null },
        },
      )
  })

  it('are detached together, mains and bumps alike', () => {
    const detach = (...ids: readonly number[]) => ask('detachProducts', { pageId: 1, detached: ids.map(ref) })
    given(funnels, ...funnelOf(1), attached(main(11), bump(12)))
      .when(detach(12, 11, 12), known)
      .then({ type: 'ProductsDetached', data: { show_page_step_id: 201, page_id: 1, product_ids: [12, 11] } })
    given(funnels, ...funnelOf(1), attached(main(11)))
      .when(detach(11, 99), known)
      .refuses('malformed', 'Product(s) not found: p-99')
    given(funnels, ...funnelOf(1), attached(main(11)))
      .when(detach(11, 12), known)
      .refuses('notFound', 'Not found: Product(s) not attached to this page: p-12')
    given(funnels, ...funnelOf())
      .when(detach(11), known)
      .refuses('malformed', "Cannot detach products from a page that isn't part of a funnel.")
  })
})
