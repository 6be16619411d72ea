import type { Reader, StreamRecords } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document, Where } from '../../kernel/ports/read-models.ts'
import { page } from '../../pages/page/model.ts'
import { gatewayAccount } from '../../payments/public.ts'
import { pathKeyIn } from '../../resources/attributes/path-key.ts'
import { websiteDomain } from '../../sites/public.ts'
import type { CheckoutSettings } from './checkout-model.ts'
import { funnel } from './model.ts'
import type { ProductFacts } from './products.ts'
import type { FilterRef } from './tree.ts'
import type { DetachedProducts, PlacedPage, WantedSplit } from './wanted.ts'

/** Records of the same workspace that decisions about a funnel need. Records that do not exist are absent. */
export type FunnelFacts = {
  readonly pages: ReadonlyMap<number, Pick<RecordOf<typeof page>, 'external' | 'name' | 'current_path' | 'in_funnel'>>
  readonly products: ProductFacts
  readonly filter?: FilterRef
  /** Account by which the pages are wanted to charge. */
  readonly account?: RecordOf<typeof gatewayAccount>
  /** Domain on which the funnel is wanted. */
  readonly domain?: RecordOf<typeof websiteDomain>
  /** Whether another funnel of the workspace has the path that a new one would get. */
  readonly pathTaken: boolean
  /** Whether another funnel of the workspace has that path in another spelling. */
  readonly pathSpelledOtherwise: boolean
}

/** Part of the decision context of a funnel or split that names records of other streams. */
type FactsInput = {
  readonly act: string
  readonly workspaceId: number
  readonly records: StreamRecords
  readonly wanted: Partial<
    PlacedPage &
      DetachedProducts &
      WantedSplit &
      CheckoutSettings & { readonly current_path: string | null; readonly domain_id: number | null }
  >
}

/** Returns the ids of the pages that are wanted in slots of a split. */
const slotPages = ({ variants = [], branches = [] }: FactsInput['wanted']): readonly number[] =>
  [
    ...variants.map(({ slot }) => slot),
    ...branches.flatMap(({ single, sequence = [] }) => [single, ...sequence]),
  ].flatMap((slot) => slot?.pageId ?? [])

const isSellable = async ({ documents }: Reader, product: Document): Promise<boolean> => {
  if (product.archived === true) return false
  const all = await documents.find('products/variant', { where: { product_id: product.id } })
  const variants = all.filter(({ archived }) => archived !== true)
  if (variants.length === 0) return false
  const where = { variant_id: { $in: variants.map(({ id }) => id) } }
  return (await documents.find('products/price', { where })).some(({ archived }) => archived !== true)
}

/** Loads the facts that a decision needs. */
export const loadFacts = async (input: FactsInput, read: Reader): Promise<FunnelFacts> => {
  const { act, wanted, records } = input
  const workspaceId = records.root(funnel)?.workspace_id ?? input.workspaceId
  const find = async (collection: string, ids: readonly number[]) =>
    ids.length === 0 ? [] : (await read.documents.getMany(collection, [...new Set(ids)])).flatMap((one) => one ?? [])
  const { mains = [], bumps = [] } = wanted.products ?? {}
  const isBump = ({ id }: Document) => bumps.some((bump) => bump.id === id)
  const productIds = [...mains, ...bumps, ...(wanted.detached ?? [])].map(({ id }) => id)
  const products = (await find('product', productIds)).map(
    async (one) => [Number(one.id), { sellable: isBump(one) && (await isSellable(read, one)) }] as const,
  )
  const pages = await read.many(page, [...new Set(slotPages(wanted))])
  const condition = wanted.condition && !wanted.condition.raw ? [wanted.condition.filterId] : []
  const [filter] = await find('refine_filter', condition)
  const account = await read.one(gatewayAccount, wanted.checkout_account_id)
  const domain = await read.one(websiteDomain, wanted.domain_id)
  const path_key = act === 'create' ? pathKeyIn(workspaceId, wanted.current_path ?? null) : null
  const hasPath = async (where: Where): Promise<boolean> =>
    path_key !== null && (await read.find(funnel, { where: { path_key, ...where }, limit: 1 })).length > 0
  return {
    pages: new Map(pages.map((one) => [one.id, one])),
    products: new Map(await Promise.all(products)),
    ...(filter && { filter: { id: Number(filter.id), public_id: String(filter.public_id) } }),
    ...(account && { account }),
    ...(domain && { domain }),
    pathTaken: 'suffix' in wanted && (await hasPath({})),
    pathSpelledOtherwise: await hasPath({ current_path: { $ne: wanted.current_path ?? null } }),
  }
}
