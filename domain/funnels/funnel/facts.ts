import type { FactReader } from '../../kernel/decider.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { BranchWish, FunnelCommand, VariantWish } from './commands.ts'
import type { FunnelState } from './state.ts'
import type { FilterRef } from './tree.ts'

/** A page that a command names, of the funnel's own workspace. */
export interface PageFact {
  readonly external: boolean
  readonly name: string
  readonly path: string | null
  /** Whether a step of some funnel shows it. */
  readonly placed: boolean
}

export interface ProductFact {
  /** Whether one of its prices can be sold. */
  readonly sellable: boolean
}

/** What decisions about a funnel need from elsewhere; what is not there is absent. */
export interface FunnelFacts {
  readonly pages: ReadonlyMap<number, PageFact>
  readonly products: ReadonlyMap<number, ProductFact>
  readonly filter?: FilterRef
  /** Whether another funnel of the workspace has the path that a new one would get. */
  readonly pathTaken: boolean
}

/** Facts of a command that needs none. */
export const NO_FACTS: FunnelFacts = { pages: new Map(), products: new Map(), pathTaken: false }

/** Ids of the pages that a command wants to put into slots of a split. */
const slotPages = (command: FunnelCommand): readonly number[] => {
  if ('variants' in command) return command.variants.flatMap(({ slot }: VariantWish) => (slot ? [slot.pageId] : []))
  if (!('branches' in command)) return []
  return (command.branches ?? []).flatMap(({ single, sequence }: BranchWish) => [
    ...(single ? [single.pageId] : []),
    ...(sequence ?? []).map(({ pageId }) => pageId),
  ])
}

const productIds = (command: FunnelCommand): readonly number[] => {
  if (command.type === 'DetachProducts') return command.products.map(({ id }) => id)
  if (!('products' in command) || !command.products) return []
  return [...command.products.mains, ...command.products.bumps].map(({ id }) => id)
}

const foundIn = async (
  read: FactReader,
  collection: string,
  ids: readonly number[],
  workspaceId: number,
): Promise<Document[]> => {
  if (ids.length === 0) return []
  const found = await read.getMany(collection, [...new Set(ids)])
  return found.filter((document) => document !== undefined).filter((document) => document.workspace_id === workspaceId)
}

const isSellable = async (read: FactReader, product: Document): Promise<boolean> => {
  const variants = await read.find('products/variant', { where: { product_id: product.id } })
  if (variants.length === 0) return false
  const prices = await read.find('products/price', { where: { variant_id: { $in: variants.map(({ id }) => id) } } })
  return prices.some(({ archived }) => archived !== true)
}

const productFacts = async (read: FactReader, command: FunnelCommand, workspaceId: number) => {
  const products = await foundIn(read, 'product', productIds(command), workspaceId)
  const asked = 'products' in command && command.products && 'bumps' in command.products ? command.products.bumps : []
  const facts = products.map(async (product): Promise<[number, ProductFact]> => {
    const isBump = asked.some(({ id }) => id === product.id)
    return [Number(product.id), { sellable: isBump && (await isSellable(read, product)) }]
  })
  return new Map(await Promise.all(facts))
}

const pageFact = (page: Document): [number, PageFact] => [
  Number(page.id),
  {
    external: page.external === true,
    name: String(page.name),
    path: typeof page.current_path === 'string' ? page.current_path : null,
    placed: page.in_funnel === true,
  },
]

/** Loads what the decision about a command needs. */
export const loadFacts = async (command: FunnelCommand, read: FactReader, state: FunnelState): Promise<FunnelFacts> => {
  const { workspaceId } = state
  const pages = await foundIn(read, 'page', slotPages(command), workspaceId)
  const wished =
    'condition' in command && command.condition && !command.condition.raw ? [command.condition.filterId] : []
  const [filter] = await foundIn(read, 'refine_filter', wished, workspaceId)
  return {
    pages: new Map(pages.map(pageFact)),
    products: await productFacts(read, command, workspaceId),
    ...(filter && { filter: { id: Number(filter.id), public_id: String(filter.public_id) } }),
    pathTaken: command.type === 'CreateFunnel' && (await isPathTaken(read, command)),
  }
}

const isPathTaken = async (
  read: FactReader,
  command: Extract<FunnelCommand, { readonly type: 'CreateFunnel' }>,
): Promise<boolean> => {
  const where = { workspace_id: command.workspaceId, current_path: command.path }
  return (await read.find('funnel', { where, limit: 1 })).length > 0
}
