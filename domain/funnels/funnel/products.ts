import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { ProductWish, Ref } from './commands.ts'
import type { AttachedProduct, FunnelEvent } from './events.ts'
import type { ProductFact } from './facts.ts'

type Products = ReadonlyMap<number, ProductFact>

const spelled = (refs: readonly Ref[]): string => [...new Set(refs.map(({ sent }) => sent))].join(', ')

/** Why a wish cannot be granted whatever step it is for; `undefined` when it can. */
export const wishProblem = ({ mains, bumps }: ProductWish, products: Products): Refusal | undefined => {
  const both = mains.filter((main) => bumps.some((bump) => bump.id === main.id && bump.sent === main.sent))
  const sameId = mains.filter((main) => main.id !== 0 && bumps.some((bump) => bump.id === main.id))
  const twice = [...new Set([...sameId, ...both])]
  if (twice.length > 0) {
    return refuse.malformed(
      `Product(s) cannot be listed in both product_ids and bumps: ${spelled(twice)}`,
      'show_page_step',
      'exclusion',
    )
  }
  const unknown = [...mains, ...bumps].filter(({ id }) => !products.has(id))
  if (unknown.length > 0)
    return refuse.malformed(`Product(s) not found: ${spelled(unknown)}`, 'show_page_step', 'not_found')
  const priceless = bumps.filter(({ id }) => products.get(id)?.sellable !== true)
  if (priceless.length === 0) return undefined
  return refuse.invalid(
    `Product(s) cannot be bumps without a sellable price: ${spelled(priceless)}`,
    'show_page_step.bumps',
    'no_price',
  )
}

/** What a wish adds to a step: mains before bumps, nothing twice; a main among the bumps is promoted where it stands. */
export const attachProducts = (
  step: number,
  held: readonly AttachedProduct[],
  { mains, bumps }: ProductWish,
): FunnelEvent[] => {
  const attached = new Map(held.map((product) => [product.product_id, product]))
  const added: AttachedProduct[] = []
  const changes: FunnelEvent[] = []
  const add = (product: AttachedProduct): void => {
    attached.set(product.product_id, product)
    added.push(product)
  }
  for (const { id } of mains) {
    if (!attached.has(id)) add({ product_id: id, bump: false, bump_preheadline: null })
  }
  for (const { id, preheadline } of bumps) {
    const known = attached.get(id)
    const bump = { product_id: id, bump: true, bump_preheadline: preheadline ?? known?.bump_preheadline ?? null }
    if (!known) {
      add(bump)
      continue
    }
    if (known.bump && known.bump_preheadline === bump.bump_preheadline) continue
    attached.set(id, bump)
    const data = { show_page_step_id: step, product_id: id, bump_preheadline: bump.bump_preheadline }
    changes.push({ type: known.bump ? 'BumpPreheadlineSet' : 'ProductPromotedToBump', data })
  }
  const attaching: FunnelEvent[] =
    added.length === 0 ? [] : [{ type: 'ProductsAttached', data: { show_page_step_id: step, products: added } }]
  return [...attaching, ...changes]
}

/** Takes products off a step, all of them or none. */
export const detachProducts = (
  step: number,
  held: readonly AttachedProduct[],
  wanted: readonly Ref[],
  products: Products,
): readonly FunnelEvent[] | Refusal => {
  const unknown = wanted.filter(({ id }) => !products.has(id) && !held.some(({ product_id }) => product_id === id))
  if (unknown.length > 0)
    return refuse.malformed(`Product(s) not found: ${spelled(unknown)}`, 'product_ids', 'not_found')
  const absent = wanted.filter(({ id }) => !held.some(({ product_id }) => product_id === id))
  if (absent.length > 0) return refuse.notFound(`Not found: Product(s) not attached to this page: ${spelled(absent)}`)
  const ids = [...new Set(wanted.map(({ id }) => id))]
  return [{ type: 'ProductsDetached', data: { show_page_step_id: step, product_ids: ids } }]
}
