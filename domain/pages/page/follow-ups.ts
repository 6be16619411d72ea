import { showPageStep } from '../../funnels/funnel/model.ts'
import type { ArrivingPage, WantedProducts } from '../../funnels/public.ts'
import { funnels, TREE_NODE } from '../../funnels/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { type FunnelBlock, funnelBlock, productsOf, refOf } from './blocks.ts'

type FollowUps = Promise<readonly Ask[] | Refusal>

const notPartOfFunnel = (doing: string, field = 'show_page_step'): Refusal =>
  refuse.malformed(`Cannot ${doing} a page that isn't part of a funnel.`, field, 'no_step')

const notFound = (what: string): Refusal =>
  refuse.malformed(`The ${what} with the provided ID cannot be found.`, 'funnel', 'not_found')

/** Returns the page that a step is to show. */
const pageOf = ({ id: pageId, fields, document }: WriteInput, external: boolean): ArrivingPage => {
  const { current_path: path } = fields
  const isWanted = typeof path === 'string' && path.trim() !== ''
  return { pageId, external, name: String(fields.name ?? document?.name ?? ''), ...(isWanted && { path }) }
}

type FunnelInput = FunnelBlock & {
  readonly sortOrder: number | undefined
  readonly products: WantedProducts | undefined
}

/** Reads the part of a page's body that concerns its funnel. Refuses invalid blocks. */
const readFunnelInput = ({ fields, parseId }: WriteInput, accepted: readonly string[]): FunnelInput | Refusal => {
  const block = funnelBlock(fields.funnel, accepted, parseId)
  if (block instanceof Refusal) return block
  const products = productsOf(fields.show_page_step, parseId)
  if (products instanceof Refusal) return products
  const { sort_order } = fields
  return { ...block, products, sortOrder: typeof sort_order === 'number' ? sort_order : undefined }
}

const CREATE_KEYS = ['funnel_id', 'show_page_step_id', 'after_show_page_step_id']

/** Refuses a position or products for a page that goes into no funnel. */
const withoutFunnel = ({ after, sortOrder, products }: FunnelInput): Refusal | readonly Ask[] => {
  const needed = (field: string, name: string, remedy: string): Refusal => {
    const says = `${name} requires funnel.funnel_id; ${remedy} to create a standalone external page.`
    return refuse.invalid(says, field, 'no_funnel')
  }
  if (after !== undefined) return needed('funnel', 'funnel.after_show_page_step_id', 'omit the funnel block')
  if (sortOrder !== undefined) return needed('sort_order', 'sort_order', 'leave it out')
  return products ? notPartOfFunnel('attach products to') : []
}

/** Returns the command that puts a new page onto an existing step of a funnel or onto a new one; none without a funnel. */
export const placeNewPage =
  (external: boolean) =>
  async (input: WriteInput, read: FactReader): FollowUps => {
    const funnelInput = readFunnelInput(input, CREATE_KEYS)
    if (funnelInput instanceof Refusal) return funnelInput
    const { funnelId, after, onto, products } = funnelInput
    const page = pageOf(input, external)
    if (onto !== undefined) {
      const step = await read.get('funnels/show_page_step', onto)
      if (!step) return notFound(external ? 'funnel or show_page_step' : 'step')
      return [ask(funnels, Number(step.funnel_id), 'arrangePage', { page, onto, products })]
    }
    if (funnelId === undefined) return withoutFunnel(funnelInput)
    if (!(await read.get('funnel', funnelId))) return notFound(external ? 'funnel or show_page_step' : 'funnel')
    const wanted = { page, after, sortOrder: after === undefined ? funnelInput.sortOrder : undefined, products }
    const ids = [input.mint({ name: TREE_NODE }), input.mint(showPageStep)]
    return [ask(funnels, funnelId, 'placePage', wanted, { ids })]
  }

const funnelOf = (document: Document | undefined): number | undefined =>
  typeof document?.funnel_id === 'number' ? document.funnel_id : undefined

const removal = ({ id: pageId }: WriteInput, funnelId: number) => ask(funnels, funnelId, 'removePage', { pageId })

/** Returns the commands that move a page within its funnel or onto a step of any funnel, and attach products to its step. */
export const rearrangePage = async (input: WriteInput, read: FactReader): FollowUps => {
  const funnelInput = readFunnelInput(input, ['show_page_step_id'])
  if (funnelInput instanceof Refusal) return funnelInput
  const { onto, sortOrder, products } = funnelInput
  const page = pageOf(input, input.document?.external === true)
  const current = funnelOf(input.document)
  if (onto !== undefined) {
    const step = await read.get('funnels/show_page_step', onto)
    if (!step) return notFound('show_page_step')
    const target = Number(step.funnel_id)
    const leaving = current !== undefined && current !== target ? [removal(input, current)] : []
    return [...leaving, ask(funnels, target, 'arrangePage', { page, onto, products })]
  }
  if (!products && sortOrder === undefined) return []
  if (current !== undefined) return [ask(funnels, current, 'arrangePage', { page, sortOrder, products })]
  if (sortOrder === undefined) return notPartOfFunnel('attach products to')
  return refuse.invalid('sort_order needs a page that is on exactly one funnel step.', 'sort_order', 'no_step')
}

/** Returns the command that removes the step of a deleted page. */
export const removeFromFunnel = async (input: WriteInput): FollowUps => {
  const current = funnelOf(input.document)
  return current === undefined ? [] : [removal(input, current)]
}

/** Returns the command that detaches products from the step of a page. Their ids are in the body or in the query string. */
export const detachFromStep = async (input: WriteInput): FollowUps => {
  const sent = input.fields.product_ids ?? input.query.product_ids
  const ids = Array.isArray(sent) ? sent : typeof sent === 'string' ? sent.split(',') : []
  const detached = ids.filter((id) => id !== null && id !== '').map((id) => refOf(id, input.parseId))
  if (detached.length === 0) return refuse.malformed('product_ids is required', 'product_ids', 'blank')
  const current = funnelOf(input.document)
  if (current === undefined) return notPartOfFunnel('detach products from', 'product_ids')
  return [ask(funnels, current, 'detachProducts', { pageId: input.id, detached })]
}
