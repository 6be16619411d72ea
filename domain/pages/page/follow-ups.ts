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

const workspaceOf = ({ document, owner }: WriteInput): number => Number((document ?? owner)?.workspace_id)

const notPartOfFunnel = (doing: string, field = 'show_page_step'): Refusal =>
  refuse.malformed(`Cannot ${doing} a page that isn't part of a funnel.`, field, 'no_step')

const notFound = (what: string): Refusal =>
  refuse.malformed(`The ${what} with the provided ID cannot be found.`, 'funnel', 'not_found')

const own = async (input: WriteInput, read: FactReader, collection: string, id: number) => {
  const document = await read.get(collection, id)
  return document?.workspace_id === workspaceOf(input) ? document : undefined
}

/** The page that comes onto a step. */
const pageOf = ({ id: pageId, fields, document }: WriteInput, external: boolean): ArrivingPage => {
  const { current_path: path } = fields
  const isWanted = typeof path === 'string' && path.trim() !== ''
  return { pageId, external, name: String(fields.name ?? document?.name ?? ''), ...(isWanted && { path }) }
}

type AskedOfFunnel = FunnelBlock & {
  readonly sortOrder: number | undefined
  readonly products: WantedProducts | undefined
}

/** What the body of a page asks of a funnel; or why it cannot. */
const askedOf = ({ fields, parseId }: WriteInput, accepted: readonly string[]): AskedOfFunnel | Refusal => {
  const block = funnelBlock(fields.funnel, accepted, parseId)
  if (block instanceof Refusal) return block
  const products = productsOf(fields.show_page_step, parseId)
  if (products instanceof Refusal) return products
  const { sort_order } = fields
  return { ...block, products, sortOrder: typeof sort_order === 'number' ? sort_order : undefined }
}

const CREATE_KEYS = ['funnel_id', 'show_page_step_id', 'after_show_page_step_id']

/** What cannot be asked of a page that goes into no funnel. */
const withoutFunnel = ({ after, sortOrder, products }: AskedOfFunnel): Refusal | readonly Ask[] => {
  const needed = (field: string, name: string, remedy: string): Refusal => {
    const says = `${name} requires funnel.funnel_id; ${remedy} to create a standalone external page.`
    return refuse.invalid(says, field, 'no_funnel')
  }
  if (after !== undefined) return needed('funnel', 'funnel.after_show_page_step_id', 'omit the funnel block')
  if (sortOrder !== undefined) return needed('sort_order', 'sort_order', 'leave it out')
  return products ? notPartOfFunnel('attach products to') : []
}

/** Where a new page goes in a funnel, if anywhere: onto a step that is there, or onto a new one. */
export const placeNewPage =
  (external: boolean) =>
  async (input: WriteInput, read: FactReader): FollowUps => {
    const asked = askedOf(input, CREATE_KEYS)
    if (asked instanceof Refusal) return asked
    const { funnelId, after, onto, products } = asked
    const page = pageOf(input, external)
    if (onto !== undefined) {
      const step = await own(input, read, 'funnels/show_page_step', onto)
      if (!step) return notFound(external ? 'funnel or show_page_step' : 'step')
      return [ask(funnels, Number(step.funnel_id), 'arrangePage', { page, onto, products })]
    }
    if (funnelId === undefined) return withoutFunnel(asked)
    if (!(await own(input, read, 'funnel', funnelId))) return notFound(external ? 'funnel or show_page_step' : 'funnel')
    const wanted = { page, after, sortOrder: after === undefined ? asked.sortOrder : undefined, products }
    const ids = [input.mint({ name: TREE_NODE }), input.mint(showPageStep)]
    return [ask(funnels, funnelId, 'placePage', wanted, { ids })]
  }

const funnelOf = (document: Document | undefined): number | undefined =>
  typeof document?.funnel_id === 'number' ? document.funnel_id : undefined

const removal = ({ id: pageId }: WriteInput, funnelId: number) => ask(funnels, funnelId, 'removePage', { pageId })

/** Moves a page within its funnel or onto a step of any, and attaches products to its step. */
export const rearrangePage = async (input: WriteInput, read: FactReader): FollowUps => {
  const asked = askedOf(input, ['show_page_step_id'])
  if (asked instanceof Refusal) return asked
  const { onto, sortOrder, products } = asked
  const page = pageOf(input, input.document?.external === true)
  const present = funnelOf(input.document)
  if (onto !== undefined) {
    const step = await own(input, read, 'funnels/show_page_step', onto)
    if (!step) return notFound('show_page_step')
    const target = Number(step.funnel_id)
    const leaving = present !== undefined && present !== target ? [removal(input, present)] : []
    return [...leaving, ask(funnels, target, 'arrangePage', { page, onto, products })]
  }
  if (!products && sortOrder === undefined) return []
  if (present !== undefined) return [ask(funnels, present, 'arrangePage', { page, sortOrder, products })]
  if (sortOrder === undefined) return notPartOfFunnel('attach products to')
  return refuse.invalid('sort_order needs a page that is on exactly one funnel step.', 'sort_order', 'no_step')
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
  const detached = ids.filter((id) => id !== null && id !== '').map((id) => refOf(id, input.parseId))
  if (detached.length === 0) return refuse.malformed('product_ids is required', 'product_ids', 'blank')
  const present = funnelOf(input.document)
  if (present === undefined) return notPartOfFunnel('detach products from', 'product_ids')
  return [ask(funnels, present, 'detachProducts', { pageId: input.id, detached })]
}
