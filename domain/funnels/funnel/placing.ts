import type { Decision } from '../../kernel/decider.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { rooted, slugOf } from '../../kinds/slug.ts'
import type { CommandOf, Newcomer, ProductWish } from './commands.ts'
import type { FunnelEvent } from './events.ts'
import type { FunnelFacts } from './facts.ts'
import { attachProducts, wishProblem } from './products.ts'
import type { FunnelState } from './state.ts'
import {
  type Located,
  locatePage,
  locateStep,
  type PageNode,
  type Place,
  pageNodes,
  stepsIn,
  TRUNK,
  type Tree,
} from './tree.ts'

type Funnel = Decision<FunnelEvent>

const steps = (count: number): string => `funnel has ${count} step(s)`

const outOfBounds = (position: number, count: number) =>
  refuse.invalid(`sort_order ${position} is out of bounds (${steps(count)}).`, 'page.sort_order', 'out_of_bounds')

const noSuchStep = (external: boolean) => {
  const what = external ? 'The funnel or show_page_step' : 'The step'
  return refuse.malformed(`${what} with the provided ID cannot be found.`, 'page.funnel', 'not_found')
}

/** The slug of a step that comes to show a page: as wanted, or made from its name and unlike that of any other step. */
export const stepPath = (tree: Tree, { external, path, name }: Newcomer): string | null => {
  if (external) return null
  if (path !== undefined) return rooted(path)
  const taken = new Set(pageNodes(tree).map(({ current_path }) => current_path))
  const slug = rooted(slugOf(name, 'page'))
  let candidate = slug
  for (let count = 2; taken.has(candidate); count++) candidate = `${slug}-${count}`
  return candidate
}

const attaching = (state: FunnelState, step: number, wish: ProductWish | undefined): FunnelEvent[] =>
  wish ? attachProducts(step, state.products.get(step) ?? [], wish) : []

/** Behind the step that is named, at the position that is wanted, or last. */
const placeFor = ({ tree }: FunnelState, { after, sortOrder, page }: CommandOf<'PlacePage'>): Place | Refusal => {
  if (after !== undefined) {
    const anchor = locateStep(tree, after)
    return anchor ? { ...anchor.place, index: anchor.place.index + 1 } : noSuchStep(page.external)
  }
  const index = sortOrder ?? tree.length
  return index < 0 || index > tree.length ? outOfBounds(index, tree.length) : { ...TRUNK, index }
}

/** A new step for a page that has none. */
export const placePage = (state: FunnelState, command: CommandOf<'PlacePage'>, facts: FunnelFacts): Funnel => {
  const { page, products, stepId, showPageStepId } = command
  if (locatePage(state.tree, page.pageId)) return []
  const place = placeFor(state, command)
  if (place instanceof Refusal) return place
  const problem = products && wishProblem(products, facts.products)
  if (problem) return problem
  const path = stepPath(state.tree, page)
  const step: PageNode = {
    type: 'show_page_step',
    id: stepId,
    show_page_step_id: showPageStepId,
    page_id: page.pageId,
    current_path: path,
  }
  return [{ type: 'StepPlaced', data: { step, place } }, ...attaching(state, showPageStepId, products)]
}

const refOf = ({ show_page_step_id, page_id, id }: PageNode) => ({ show_page_step_id, page_id, step_id: id })

export const removal = ({ node, place }: Located<PageNode>): FunnelEvent => ({
  type: 'StepRemoved',
  data: { ...refOf(node), from: place },
})

/** The page comes onto a step of somebody else's; the step that it had goes, for a step always shows a page. */
const swap = (state: FunnelState, page: Newcomer, onto: number): Funnel => {
  const target = locateStep(state.tree, onto)
  if (!target)
    return refuse.malformed('The show_page_step with the provided ID cannot be found.', 'page.funnel', 'not_found')
  const { node, place } = target
  if (node.page_id === page.pageId) return []
  const former = locatePage(state.tree, page.pageId)
  const kept = page.path === undefined && !page.external && node.current_path !== null
  const data = {
    ...refOf(node),
    page_id: page.pageId,
    former_page_id: node.page_id,
    current_path: kept ? node.current_path : stepPath(state.tree, page),
    place,
  }
  return [...(former ? [removal(former)] : []), { type: 'PageSwapped', data }]
}

const samePlace = (a: Place, b: Place): boolean =>
  a.split_id === b.split_id && a.branch === b.branch && a.index === b.index

/** Moves a step to another place; `place` counts without the step itself. */
export const moveTo = ({ node, place: from }: Located<PageNode>, place: Place): readonly FunnelEvent[] =>
  samePlace(from, place) ? [] : [{ type: 'PageMoved', data: { ...refOf(node), from, place } }]

const reposition = ({ tree }: FunnelState, pageId: number, index: number): Funnel => {
  const located = locatePage(tree, pageId)
  if (!located)
    return refuse.invalid('sort_order needs a page that is on exactly one funnel step.', 'page.sort_order', 'no_step')
  const { length } = stepsIn(tree, located.place)
  if (index < 0 || index >= length) return outOfBounds(index, length)
  return moveTo(located, { ...located.place, index })
}

/** A swap wins over a position. */
export const arrangePage = (state: FunnelState, command: CommandOf<'ArrangePage'>, facts: FunnelFacts): Funnel => {
  const { page, onto, sortOrder, products } = command
  const problem = products && wishProblem(products, facts.products)
  if (problem) return problem
  const moved: Funnel =
    onto !== undefined
      ? swap(state, page, onto)
      : sortOrder !== undefined
        ? reposition(state, page.pageId, sortOrder)
        : []
  if (moved instanceof Refusal || !products) return moved
  const step = onto ?? locatePage(state.tree, page.pageId)?.node.show_page_step_id
  if (step === undefined) {
    return refuse.malformed(
      "Cannot attach products to a page that isn't part of a funnel.",
      'page.show_page_step',
      'no_step',
    )
  }
  return [...moved, ...attaching(state, step, products)]
}
