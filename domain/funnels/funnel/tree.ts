import { getOrInsert } from '../../kernel/values/get-or-insert.ts'
import {
  type Container,
  hasBranches,
  type Located as LocatedIn,
  locateAll,
  nodesIn,
  type Weights,
} from '../../resources/tree/tree.ts'

export {
  alterNode,
  type Branch,
  type Container,
  insertAt,
  MAX_DEPTH,
  TRUNK,
  type TreePosition,
  type Weights,
  withNodeMoved,
  withoutNode,
} from '../../resources/tree/tree.ts'

/** Kind of the ids of all nodes. Steps and splits share it, so that no two nodes of a tree have the same id. */
export const TREE_NODE = 'funnels/step'

/** A step that shows a page. */
export type PageNode = {
  readonly type: 'show_page_step'
  readonly id: number
  /** Id of the step's `funnels/show_page_step`, which clients name when they position pages and splits. */
  readonly show_page_step_id: number
  readonly page_id: number
  /** Slug of the step; `null` while it shows an external page. */
  readonly current_path: string | null
}

/** Splits the traffic by chance. */
export type SplitTestNode = {
  readonly type: 'split_test_step'
  readonly id: number
  /** Percentages of the traffic for the two branches; together 100. */
  readonly weights: Weights
  readonly branches: Branches
}

/** Splits the traffic by a stored contact filter: matched first, unmatched second. */
export type ConditionalNode = {
  readonly type: 'conditional_split_step'
  readonly id: number
  readonly filter: FilterRef | null
  readonly branches: Branches
}

export type FilterRef = { readonly id: number; readonly public_id: string }
export type SplitNode = SplitTestNode | ConditionalNode
export type Node = PageNode | SplitNode
/** Steps in the order in which visitors pass them. After a split, both branches continue with the next step. */
export type Tree = readonly Node[]
export type Branches = readonly [Tree, Tree]
export type Located<N extends Node = Node> = LocatedIn<N>

export const isSplit = (node: Node): node is SplitNode => hasBranches<Node>(node)
export const isPage = (node: Node): node is PageNode => !isSplit(node)

const located = new WeakMap<Tree, ReadonlyMap<number, Located<SplitNode>>>()

/** Returns a split of a tree. All are found by one walk, since lists ask for one after the other. */
export const locateSplit = (tree: Tree, id: number): Located<SplitNode> | undefined =>
  getOrInsert(
    located,
    tree,
    () => new Map(locateAll<Node, SplitNode>(tree, isSplit).map((one) => [one.node.id, one])),
  ).get(id)

/** Returns the step with this show page step id. */
export const locateStep = (tree: Tree, showPageStepId: number): Located<PageNode> | undefined =>
  locateAll<Node, PageNode>(tree, isPage).find(({ node }) => node.show_page_step_id === showPageStepId)

/** Returns the step that shows a page. */
export const locatePage = (tree: Tree, pageId: number): Located<PageNode> | undefined =>
  locateAll<Node, PageNode>(tree, isPage).find(({ node }) => node.page_id === pageId)

export const pageNodes = (tree: Tree): readonly PageNode[] =>
  locateAll<Node, PageNode>(tree, isPage).map(({ node }) => node)
export const splitNodes = (tree: Tree): readonly SplitNode[] =>
  locateAll<Node, SplitNode>(tree, isSplit).map(({ node }) => node)

/** Returns the steps of a container; empty when there is no such container. */
export const stepsIn = (tree: Tree, container: Container): Tree => nodesIn<Node>(tree, container)

/** Returns the page step that a sequence begins with, if it does. */
export const firstPage = ([first]: Tree): PageNode | undefined => (first && isPage(first) ? first : undefined)
