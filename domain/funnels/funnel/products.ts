import type { Events } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { funnel } from './model.ts'
import type { Ref, WantedProducts } from './wanted.ts'

const { event } = funnel

/** Product on a step. A step shows its products in the order of its list. */
export type AttachedProduct = {
  readonly product_id: number
  readonly bump: boolean
  readonly bump_preheadline: string | null
}

/** Existing products by id, and whether one of their prices can be sold, which is only checked for bumps. */
export type ProductFacts = ReadonlyMap<number, { readonly sellable: boolean }>

const spelled = (refs: readonly Ref[]): string => [...new Set(refs.map(({ sent }) => sent))].join(', ')

/** Returns the reason for which products cannot be attached to any step, or `undefined` when they can. */
export const productsProblem = (wanted: WantedProducts | undefined, known: ProductFacts): Refusal | undefined => {
  const { mains, bumps } = wanted ?? { mains: [], bumps: [] }
  const isAmongBumps = ({ id, sent }: Ref) => bumps.some((bump) => bump.id === id && (id !== 0 || bump.sent === sent))
  // Products with an id come first: messages have always named them in this order.
  const twice = [...mains.filter(({ id }) => id !== 0), ...mains.filter(({ id }) => id === 0)].filter(isAmongBumps)
  if (twice.length > 0) {
    const says = `Product(s) cannot be listed in both product_ids and bumps: ${spelled(twice)}`
    return refuse.malformed(says, 'show_page_step', 'exclusion')
  }
  const unknown = [...mains, ...bumps].filter(({ id }) => !known.has(id))
  if (unknown.length > 0)
    return refuse.malformed(`Product(s) not found: ${spelled(unknown)}`, 'show_page_step', 'not_found')
  const unsellable = bumps.filter(({ id }) => known.get(id)?.sellable !== true)
  if (unsellable.length === 0) return undefined
  const says = `Product(s) cannot be bumps without a sellable price: ${spelled(unsellable)}`
  return refuse.invalid(says, 'show_page_step.bumps', 'no_price')
}

/** Step whose products change, with the page that it shows. */
type ShownStep = { readonly show_page_step_id: number; readonly page_id: number }

/** Attaches products to a step: mains before bumps, nothing twice. A main product that is sent as a bump is promoted in its place. */
export const attachProducts = (
  step: ShownStep,
  current: readonly AttachedProduct[],
  { mains, bumps }: WantedProducts,
): Events<typeof funnel> => {
  const attached = new Map(current.map((product) => [product.product_id, product]))
  const added: AttachedProduct[] = []
  const changes: Events<typeof funnel>[number][] = []
  const add = (product: AttachedProduct): void => {
    attached.set(product.product_id, product)
    added.push(product)
  }
  for (const { id } of mains) {
    if (!attached.has(id)) add({ product_id: id, bump: false, bump_preheadline: null })
  }
  for (const { id, preheadline } of bumps) {
    const known = attached.get(id)
    const bump_preheadline = preheadline ?? known?.bump_preheadline ?? null
    const bump = { product_id: id, bump: true, bump_preheadline }
    if (!known) {
      add(bump)
      continue
    }
    if (known.bump && known.bump_preheadline === bump_preheadline) continue
    attached.set(id, bump)
    const changed = known.bump ? event.BumpPreheadlineSet : event.ProductPromotedToBump
    changes.push(changed({ ...step, product_id: id, bump_preheadline }))
  }
  if (added.length === 0) return changes
  return [event.ProductsAttached({ ...step, products: added }), ...changes]
}

/** Detaches products from a step, all of them or none. */
export const detachProducts = (
  step: ShownStep,
  current: readonly AttachedProduct[],
  wanted: readonly Ref[],
  known: ProductFacts,
): Events<typeof funnel> | Refusal => {
  const absent = wanted.filter(({ id }) => !current.some(({ product_id }) => product_id === id))
  const unknown = absent.filter(({ id }) => !known.has(id))
  if (unknown.length > 0)
    return refuse.malformed(`Product(s) not found: ${spelled(unknown)}`, 'product_ids', 'not_found')
  if (absent.length > 0) return refuse.notFound(`Not found: Product(s) not attached to this page: ${spelled(absent)}`)
  const product_ids = [...new Set(wanted.map(({ id }) => id))]
  return [event.ProductsDetached({ ...step, product_ids })]
}
