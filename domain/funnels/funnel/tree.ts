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

export type Weights = readonly [number, number]
export type FilterRef = { readonly id: number; readonly public_id: string }
export type SplitNode = SplitTestNode | ConditionalNode
export type Node = PageNode | SplitNode
/** Steps in the order in which visitors pass them. After a split, both branches continue with the next step. */
export type Tree = readonly Node[]
export type Branches = readonly [Tree, Tree]
export type Branch = 0 | 1

/** A sequence of steps: that of the funnel itself (no split), or a branch of a split. */
export type Container = { readonly split_id: number | null; readonly branch: Branch }
export type TreePosition = Container & { readonly index: number }

export type Located<N extends Node = Node> = {
  readonly node: N
  readonly place: TreePosition
  /** Number of splits around the node. */
  readonly depth: number
}

export const TRUNK: Container = { split_id: null, branch: 0 }

export const isPage = (node: Node): node is PageNode => node.type === 'show_page_step'
export const isSplit = (node: Node): node is SplitNode => !isPage(node)

/** Yields every node of a tree with its place, a split before the nodes in it. */
export function* walkTree(tree: Tree, { split_id, branch }: Container = TRUNK, depth = 0): Generator<Located> {
  for (const [index, node] of tree.entries()) {
    yield { node, place: { split_id, branch, index }, depth }
    if (!isSplit(node)) continue
    yield* walkTree(node.branches[0], { split_id: node.id, branch: 0 }, depth + 1)
    yield* walkTree(node.branches[1], { split_id: node.id, branch: 1 }, depth + 1)
  }
}

const locateAll = <N extends Node>(tree: Tree, is: (node: Node) => node is N): readonly Located<N>[] =>
  [...walkTree(tree)].filter((one): one is Located<N> => is(one.node))

export const locateSplit = (tree: Tree, id: number): Located<SplitNode> | undefined =>
  locateAll(tree, isSplit).find(({ node }) => node.id === id)

/** Returns the step with this show page step id. */
export const locateStep = (tree: Tree, showPageStepId: number): Located<PageNode> | undefined =>
  locateAll(tree, isPage).find(({ node }) => node.show_page_step_id === showPageStepId)

/** Returns the step that shows a page. */
export const locatePage = (tree: Tree, pageId: number): Located<PageNode> | undefined =>
  locateAll(tree, isPage).find(({ node }) => node.page_id === pageId)

export const pageNodes = (tree: Tree): readonly PageNode[] => locateAll(tree, isPage).map(({ node }) => node)
export const splitNodes = (tree: Tree): readonly SplitNode[] => locateAll(tree, isSplit).map(({ node }) => node)

/** Returns the steps of a container; empty when there is no such container. */
export const stepsIn = (tree: Tree, { split_id, branch }: Container): Tree =>
  split_id === null ? tree : (locateSplit(tree, split_id)?.node.branches[branch] ?? [])

/** Returns the page step that a sequence begins with, if it does. */
export const firstPage = ([first]: Tree): PageNode | undefined => (first && isPage(first) ? first : undefined)

const withBranches = (node: SplitNode, change: (steps: Tree, branch: Branch) => Tree): SplitNode => ({
  ...node,
  branches: [change(node.branches[0], 0), change(node.branches[1], 1)],
})

const alterContainer = (tree: Tree, { split_id, branch }: Container, change: (steps: Tree) => Tree): Tree => {
  const alter = (steps: Tree): Tree =>
    steps.map((node) => {
      if (!isSplit(node)) return node
      if (node.id !== split_id) return withBranches(node, alter)
      return withBranches(node, (inner, at) => (at === branch ? change(inner) : inner))
    })
  return split_id === null ? change(tree) : alter(tree)
}

export const insertAt = (tree: Tree, place: TreePosition, nodes: Tree): Tree =>
  alterContainer(tree, place, (steps) => [...steps.slice(0, place.index), ...nodes, ...steps.slice(place.index)])

/** Returns the tree with one node replaced by the result of `change`: other nodes, or none to remove it. */
export const alterNode = (tree: Tree, id: number, change: (node: Node) => Tree): Tree =>
  tree.flatMap((node) => {
    if (node.id === id) return change(node)
    return isSplit(node) ? [withBranches(node, (steps) => alterNode(steps, id, change))] : [node]
  })
