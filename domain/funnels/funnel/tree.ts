import type { JsonObject } from '../../kernel/event.ts'

/** A step that shows a page. */
export interface PageNode extends JsonObject {
  readonly type: 'show_page_step'
  readonly id: number
  /** Id of the step's function, which clients name when they position pages and splits. */
  readonly show_page_step_id: number
  readonly page_id: number
  /** Own slug of the step; `null` while it shows an external page. */
  readonly current_path: string | null
}

/** Splits the traffic by chance. */
export interface SplitTestNode extends JsonObject {
  readonly type: 'split_test_step'
  readonly id: number
  /** Percent of the traffic of either branch; together 100. */
  readonly weights: readonly [number, number]
  readonly branches: Branches
}

/** Splits the traffic by a stored contact filter: matched first, unmatched second. */
export interface ConditionalNode extends JsonObject {
  readonly type: 'conditional_split_step'
  readonly id: number
  readonly filter: FilterRef | null
  readonly branches: Branches
}

export interface FilterRef extends JsonObject {
  readonly id: number
  readonly public_id: string
}

export type SplitNode = SplitTestNode | ConditionalNode
export type Node = PageNode | SplitNode
/** Steps in the order in which they are gone through; behind a split every path goes on with the next one. */
export type Tree = readonly Node[]
export type Branches = readonly [Tree, Tree]
export type Branch = 0 | 1

/** A sequence of steps: that of the funnel itself (no split), or a branch of a split. */
export interface Container extends JsonObject {
  readonly split_id: number | null
  readonly branch: Branch
}

export interface Place extends Container {
  readonly index: number
}

export interface Located<N extends Node = Node> {
  readonly node: N
  readonly place: Place
  /** How many splits stand around it. */
  readonly depth: number
}

export const TRUNK: Container = { split_id: null, branch: 0 }

export const isSplit = (node: Node): node is SplitNode => node.type !== 'show_page_step'
export const isPage = (node: Node): node is PageNode => node.type === 'show_page_step'

/** Every step of a tree with its place, a split before what is in it. */
export function* walk(tree: Tree, container: Container = TRUNK, depth = 0): Generator<Located> {
  for (const [index, node] of tree.entries()) {
    yield { node, place: { split_id: container.split_id, branch: container.branch, index }, depth }
    if (!isSplit(node)) continue
    yield* walk(node.branches[0], { split_id: node.id, branch: 0 }, depth + 1)
    yield* walk(node.branches[1], { split_id: node.id, branch: 1 }, depth + 1)
  }
}

const locate = <N extends Node>(tree: Tree, matches: (node: Node) => node is N): Located<N> | undefined => {
  for (const located of walk(tree)) if (matches(located.node)) return located as Located<N>
  return undefined
}

export const locateSplit = (tree: Tree, id: number): Located<SplitNode> | undefined =>
  locate(tree, (node): node is SplitNode => isSplit(node) && node.id === id)

/** The step with this function. */
export const locateStep = (tree: Tree, showPageStepId: number): Located<PageNode> | undefined =>
  locate(tree, (node): node is PageNode => isPage(node) && node.show_page_step_id === showPageStepId)

/** The step that shows a page. */
export const locatePage = (tree: Tree, pageId: number): Located<PageNode> | undefined =>
  locate(tree, (node): node is PageNode => isPage(node) && node.page_id === pageId)

export const pageNodes = (tree: Tree): readonly PageNode[] => [...walk(tree)].map(({ node }) => node).filter(isPage)

/** The steps of a container; empty when there is none. */
export const stepsIn = (tree: Tree, { split_id, branch }: Container): Tree =>
  split_id === null ? tree : (locateSplit(tree, split_id)?.node.branches[branch] ?? [])

const withBranches = (node: SplitNode, change: (steps: Tree, branch: Branch) => Tree): SplitNode => {
  const first = change(node.branches[0], 0)
  const second = change(node.branches[1], 1)
  return first === node.branches[0] && second === node.branches[1] ? node : { ...node, branches: [first, second] }
}

/** The tree with the steps of one container changed; what is not above it is shared with the old tree. */
const alterContainer = (tree: Tree, container: Container, change: (steps: Tree) => Tree): Tree => {
  if (container.split_id === null) return change(tree)
  let altered = false
  const steps = tree.map((node) => {
    if (!isSplit(node) || altered) return node
    const after = withBranches(node, (inner, branch) =>
      node.id === container.split_id
        ? branch === container.branch
          ? change(inner)
          : inner
        : alterContainer(inner, container, change),
    )
    if (after !== node) altered = true
    return after
  })
  return altered ? steps : tree
}

export const insertAt = (tree: Tree, place: Place, nodes: Tree): Tree =>
  alterContainer(tree, place, (steps) => [...steps.slice(0, place.index), ...nodes, ...steps.slice(place.index)])

/** The tree with one step replaced by others, in its place; by none, to take it away. */
export const replaceNode = (tree: Tree, id: number, nodes: Tree): Tree => {
  const located = locate(tree, (node): node is Node => node.id === id)
  if (!located) return tree
  const { place } = located
  return alterContainer(tree, place, (steps) => [
    ...steps.slice(0, place.index),
    ...nodes,
    ...steps.slice(place.index + 1),
  ])
}
