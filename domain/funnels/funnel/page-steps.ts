import { type ActContext, type Events as EventsOf, rules } from '../../kernel/decide/rules.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { SPELLED_OTHERWISE, storedPathKey } from '../../resources/attributes/path-key.ts'
import { rooted, slugOf } from '../../resources/attributes/slug.ts'
import type { EndedReferences } from '../../resources/reference-policies.ts'
import type { FunnelFacts } from './facts.ts'
import { funnel, showPageStep } from './model.ts'
import { attachProducts, detachProducts, productsProblem } from './products.ts'
import {
  type Located,
  locatePage,
  locateStep,
  type PageNode,
  pageNodes,
  stepsIn,
  TRUNK,
  type Tree,
  type TreePosition,
} from './tree.ts'
import type { StepRef, TreeEvents } from './tree-events.ts'
import type { ArrangedPage, ArrivingPage, DetachedProducts, LeavingPage, PlacedPage, WantedProducts } from './wanted.ts'

const { event } = funnel
type PageContext<W> = ActContext<typeof funnel, W> & { readonly wanted: W }
type Events = EventsOf<typeof funnel>

const outOfBounds = (position: number, count: number): Refusal => {
  const says = `sort_order ${position} is out of bounds (funnel has ${count} step(s)).`
  return refuse.invalid(says, 'page.sort_order', 'out_of_bounds')
}

const noSuch = (what: string): Refusal =>
  refuse.malformed(`The ${what} with the provided ID cannot be found.`, 'page.funnel', 'not_found')

/** Returns a function that gives the slug for a step that is to show a page. It reads the tree once, for any number of new steps. */
export const stepPaths = (tree: Tree) => {
  const taken = new Map(
    pageNodes(tree).flatMap(({ current_path: path }) => (path === null ? [] : [[storedPathKey(path), path] as const])),
  )
  /** Numbers from which on the slugs of a name may be free. */
  const counts = new Map<string, number>()
  const made = (name: string): string => {
    const slug = rooted(slugOf(name, 'page'))
    let count = counts.get(slug) ?? 1
    const candidate = () => (count === 1 ? slug : `${slug}-${count}`)
    while (taken.has(storedPathKey(candidate()))) count++
    counts.set(slug, count)
    return candidate()
  }
  /**
   * Returns the slug as wanted, or made from the name and unique among the steps. `null` for an external page. Refuses one that differs from another
   * in its spelling alone.
   */
  return ({ external, path, name }: Omit<ArrivingPage, 'pageId'>): string | null | Refusal => {
    if (external) return null
    const slug = path === undefined ? made(name) : rooted(path)
    const key = storedPathKey(slug)
    if ((taken.get(key) ?? slug) !== slug)
      return refuse.invalid(`Current path ${SPELLED_OTHERWISE}`, 'page.current_path', 'taken')
    taken.set(key, slug)
    return slug
  }
}

const attaching = (
  { records }: ActContext<typeof funnel>,
  step: StepRef,
  wanted: WantedProducts | undefined,
): Events =>
  wanted ? attachProducts(step, records.one(showPageStep, step.show_page_step_id)?.products ?? [], wanted) : []
/** Returns the slug for one step that is to show a page. */
const stepPath = (tree: Tree, page: Omit<ArrivingPage, 'pageId'>): string | null | Refusal => stepPaths(tree)(page)

/** Returns the position of a new step: after the named step, at the wanted position, or last. */
const placeFor = (tree: Tree, { after, sortOrder: index = tree.length, page }: PlacedPage): TreePosition | Refusal => {
  if (after === undefined)
    return index < 0 || index > tree.length ? outOfBounds(index, tree.length) : { ...TRUNK, index }
  const anchor = locateStep(tree, after)
  if (!anchor) return noSuch(page.external ? 'funnel or show_page_step' : 'step')
  return { ...anchor.place, index: anchor.place.index + 1 }
}

/** Adds a step for a page that has none. */
export const placePage = (context: PageContext<PlacedPage>, facts: FunnelFacts): Events | Refusal => {
  const { page, products } = context.wanted
  const { tree } = context.before
  if (locatePage(tree, page.pageId)) return []
  const place = placeFor(tree, context.wanted)
  if (place instanceof Refusal) return place
  const problem = productsProblem(products, facts.products)
  if (problem) return problem
  const [id = 0, show_page_step_id = 0] = context.ids
  const current_path = stepPath(tree, page)
  if (current_path instanceof Refusal) return current_path
  const step: PageNode = { type: 'show_page_step', id, show_page_step_id, page_id: page.pageId, current_path }
  return [
    event.StepPlaced({ step, place }),
    ...attaching(context, { show_page_step_id, page_id: page.pageId }, products),
  ]
}

const refTo = ({ show_page_step_id, page_id, id: step_id }: PageNode) => ({ show_page_step_id, page_id, step_id })

export const pageRemovalData = ({ node, place: from }: Located<PageNode>): TreeEvents['StepRemoved'] => ({
  ...refTo(node),
  from,
})

/** Returns the data of a move to another position. Its index does not count the step itself. */
export const pageMoveData = (
  { node, place: from }: Located<PageNode>,
  place: TreePosition,
): TreeEvents['PageMoved'] => ({
  ...refTo(node),
  from,
  place,
})

/** Returns the data of showing a page on the step of another page. The products of the step and the steps after it stay. */
export const pageSwapData = (
  { node, place }: Located<PageNode>,
  page_id: number,
  current_path: string | null,
): TreeEvents['PageSwapped'] => ({ ...refTo(node), page_id, former_page_id: node.page_id, current_path, place })

const removal = (step: Located<PageNode> | undefined): Events =>
  step ? [event.StepRemoved(pageRemovalData(step))] : []

/** Puts a page onto the step of another page. Its former step is removed, because a step always shows a page. */
const swap = (tree: Tree, page: ArrivingPage, onto: number): Events | Refusal => {
  const target = locateStep(tree, onto)
  if (!target) return noSuch('show_page_step')
  const { page_id, current_path } = target.node
  if (page_id === page.pageId) return []
  const keepsSlug = page.path === undefined && !page.external && current_path !== null
  const path = keepsSlug ? current_path : stepPath(tree, page)
  if (path instanceof Refusal) return path
  const data = pageSwapData(target, page.pageId, path)
  return [...removal(locatePage(tree, page.pageId)), event.PageSwapped(data)]
}

const reposition = (tree: Tree, pageId: number, index: number): Events | Refusal => {
  const located = locatePage(tree, pageId)
  if (!located)
    return refuse.invalid('sort_order needs a page that is on exactly one funnel step.', 'page.sort_order', 'no_step')
  const { length } = stepsIn(tree, located.place)
  if (index < 0 || index >= length) return outOfBounds(index, length)
  const place = { ...located.place, index }
  return index === located.place.index ? [] : [event.PageMoved(pageMoveData(located, place))]
}

const NO_FUNNEL = "a page that isn't part of a funnel."

/** Moves a page onto another step or within its sequence, and attaches products to its step. `onto` wins over `sortOrder`. */
export const arrangePage = (context: PageContext<ArrangedPage>, facts: FunnelFacts): Events | Refusal => {
  const { page, onto, sortOrder, products } = context.wanted
  const { tree } = context.before
  const problem = productsProblem(products, facts.products)
  if (problem) return problem
  const swapped = onto === undefined ? undefined : swap(tree, page, onto)
  const moved = swapped ?? (sortOrder === undefined ? [] : reposition(tree, page.pageId, sortOrder))
  if (moved instanceof Refusal || !products) return moved
  const step = onto ?? locatePage(tree, page.pageId)?.node.show_page_step_id
  if (step !== undefined)
    return [...moved, ...attaching(context, { show_page_step_id: step, page_id: page.pageId }, products)]
  return refuse.malformed(`Cannot attach products to ${NO_FUNNEL}`, 'page.show_page_step', 'no_step')
}

export const removePage = ({ before, wanted }: PageContext<LeavingPage>): Events =>
  removal(locatePage(before.tree, wanted.pageId))

/** Removes a step whose page has been deleted. */
const losePage = ({ id, before, wanted, records }: ActContext<typeof showPageStep, EndedReferences>): Events =>
  wanted.ended_ids.includes(before.page_id) ? removal(locateStep(records.root(funnel)?.tree ?? [], id)) : []

/** Rules of a step that shows a page. Requests change it by way of its page. */
export const stepRules = rules(showPageStep, { acts: { losePage } })

export const detachFromPage = (
  { before, wanted, records }: PageContext<DetachedProducts>,
  facts: FunnelFacts,
): Events | Refusal => {
  const step = locatePage(before.tree, wanted.pageId)?.node.show_page_step_id
  if (step === undefined) return refuse.malformed(`Cannot detach products from ${NO_FUNNEL}`, 'product_ids', 'no_step')
  const shown = { show_page_step_id: step, page_id: wanted.pageId }
  return detachProducts(shown, records.one(showPageStep, step)?.products ?? [], wanted.detached, facts.products)
}
