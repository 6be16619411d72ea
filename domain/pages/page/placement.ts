import { funnelAggregate } from '../../funnels/funnel/aggregate.ts'
import type { FunnelCommand, Newcomer, ProductWish } from '../../funnels/funnel/commands.ts'
import type { FactReader } from '../../kernel/decider.ts'
import type { FollowUp } from '../../kernel/follow-up.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { WriteInput } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { type FunnelBlock, funnelBlock, keysProblem, productWish, refOf } from './wishes.ts'

type FollowUps = Promise<readonly FollowUp[] | Refusal>

const onFunnel = (id: number, command: FunnelCommand): FollowUp => ({ aggregate: funnelAggregate, id, command })

const notPartOfFunnel = (doing: string): Refusal =>
  refuse.malformed(`Cannot ${doing} a page that isn't part of a funnel.`, 'show_page_step', 'no_step')

const workspaceOf = ({ document, owner }: WriteInput): number => Number((document ?? owner)?.workspace_id)

const own = async (
  input: WriteInput,
  read: FactReader,
  collection: string,
  id: number,
): Promise<Document | undefined> => {
  const document = await read.get(collection, id)
  return document?.workspace_id === workspaceOf(input) ? document : undefined
}

const newcomer = ({ id, fields, document }: WriteInput, external: boolean): Newcomer => {
  const path =
    typeof fields.current_path === 'string' && fields.current_path.trim() !== '' ? fields.current_path : undefined
  return {
    pageId: id,
    external,
    name: String(fields.name ?? document?.name ?? ''),
    ...(path !== undefined && { path }),
  }
}

interface Wish {
  readonly block: FunnelBlock
  readonly products?: ProductWish
  readonly sortOrder?: number
}

const wishOf = ({ fields, parseId }: WriteInput, accepted: readonly string[]): Wish | Refusal => {
  const block = funnelBlock(fields.funnel, parseId)
  if (block instanceof Refusal) return block
  const problem = keysProblem(block, accepted)
  if (problem) return problem
  const products = productWish(fields.show_page_step, parseId)
  if (products instanceof Refusal) return products
  return {
    block,
    ...(products && { products }),
    ...(typeof fields.sort_order === 'number' && { sortOrder: fields.sort_order }),
  }
}

const CREATE_KEYS = ['funnel_id', 'show_page_step_id', 'after_show_page_step_id']

const needsFunnel = (name: string): Refusal => {
  const text = `${name} requires funnel.funnel_id; omit the funnel block to create a standalone external page.`
  return refuse.invalid(
    name === 'sort_order' ? text.replace('omit the funnel block', 'leave it out') : text,
    name.split('.')[0],
    'no_funnel',
  )
}

/** Where a new page goes in a funnel, if anywhere: onto a step that is there, or onto a new one. */
export const placeNewPage =
  (external: boolean) =>
  async (input: WriteInput, read: FactReader): FollowUps => {
    const wish = wishOf(input, CREATE_KEYS)
    if (wish instanceof Refusal) return wish
    const { block, products, sortOrder } = wish
    const { funnelId, after, onto } = block
    const page = newcomer(input, external)
    const common = { page, ...(products && { products }), ...basics(input) }
    if (onto !== undefined) {
      const step = await own(input, read, 'funnels/show_page_step', onto)
      if (!step) return notFound(external ? 'funnel or show_page_step' : 'step')
      return [onFunnel(Number(step.funnel_id), { type: 'ArrangePage', onto, ...common })]
    }
    if (funnelId === undefined) {
      if (after !== undefined) return needsFunnel('funnel.after_show_page_step_id')
      if (sortOrder !== undefined) return needsFunnel('sort_order')
      return products ? notPartOfFunnel('attach products to') : []
    }
    if (!(await own(input, read, 'funnel', funnelId))) return notFound(external ? 'funnel or show_page_step' : 'funnel')
    const place = after !== undefined ? { after } : sortOrder !== undefined ? { sortOrder } : {}
    const ids = { stepId: input.mint('funnels/step'), showPageStepId: input.mint('funnels/show_page_step') }
    return [onFunnel(funnelId, { type: 'PlacePage', ...ids, ...place, ...common })]
  }

const notFound = (what: string): Refusal =>
  refuse.malformed(`The ${what} with the provided ID cannot be found.`, 'funnel', 'not_found')

const funnelOf = (document: Document | undefined): number | undefined =>
  typeof document?.funnel_id === 'number' ? document.funnel_id : undefined

const removal = (input: WriteInput, funnelId: number): FollowUp =>
  onFunnel(funnelId, { type: 'RemovePage', pageId: input.id, ...basics(input) })

/** Moves a page within its funnel or onto a step of any, and attaches products to its step. */
export const rearrangePage = async (input: WriteInput, read: FactReader): FollowUps => {
  const wish = wishOf(input, ['show_page_step_id'])
  if (wish instanceof Refusal) return wish
  const { block, products, sortOrder } = wish
  const { onto } = block
  const page = newcomer(input, input.document?.external === true)
  const common = { type: 'ArrangePage', page, ...(products && { products }), ...basics(input) } as const
  const present = funnelOf(input.document)
  if (onto !== undefined) {
    const step = await own(input, read, 'funnels/show_page_step', onto)
    if (!step) return notFound('show_page_step')
    const target = Number(step.funnel_id)
    const leaving = present !== undefined && present !== target ? [removal(input, present)] : []
    return [...leaving, onFunnel(target, { ...common, onto })]
  }
  if (sortOrder !== undefined && present === undefined) {
    return refuse.invalid('sort_order needs a page that is on exactly one funnel step.', 'sort_order', 'no_step')
  }
  if (products && present === undefined) return notPartOfFunnel('attach products to')
  if (present === undefined || (!products && sortOrder === undefined)) return []
  return [onFunnel(present, { ...common, ...(sortOrder !== undefined && { sortOrder }) })]
}

/** The step of a page that goes is gone with it. */
export const removeFromFunnel = async (input: WriteInput): FollowUps => {
  const present = funnelOf(input.document)
  return present === undefined ? [] : [removal(input, present)]
}

/** Takes products off the step of a page; ids in the body or in the query string. */
export const detachFromStep = async (input: WriteInput): FollowUps => {
  const sent = input.fields.product_ids ?? input.query.product_ids
  const ids = Array.isArray(sent) ? sent : typeof sent === 'string' ? sent.split(',') : []
  const products = ids.filter((id) => id !== null && id !== '').map((id) => refOf(id, input.parseId))
  if (products.length === 0) return refuse.malformed('product_ids is required', 'product_ids', 'blank')
  const present = funnelOf(input.document)
  if (present === undefined) {
    return refuse.malformed("Cannot detach products from a page that isn't part of a funnel.", 'product_ids', 'no_step')
  }
  return [onFunnel(present, { type: 'DetachProducts', pageId: input.id, products, ...basics(input) })]
}
