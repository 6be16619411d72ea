/** A node of a tree: a step, or a split with two branches. `N` is the union of all nodes of the tree. */
export interface TreeNode<N> {
  readonly id: number
  readonly branches?: Branches<N>
}

export type Branch = 0 | 1
export type Branches<N> = readonly [readonly N[], readonly N[]]
/** A node with branches. */
export type SplitIn<N> = N & { readonly branches: Branches<N> }

/** Percentages of the traffic for the two branches; together 100. */
export type Weights = readonly [number, number]

/** Branches of a conditional split, in their order. */
export const [MATCHED, UNMATCHED]: readonly [Branch, Branch] = [0, 1]

/** A sequence of steps: the trunk (no split), or a branch of a split. */
export type Container = { readonly split_id: number | null; readonly branch: Branch }
export type TreePosition = Container & { readonly index: number }

export type Located<N> = {
  readonly node: N
  readonly place: TreePosition
  /** Number of splits around the node. */
  readonly depth: number
}

export const TRUNK: Container = { split_id: null, branch: 0 }

/** Highest depth of nested splits: deeper than anyone draws, and shallow enough for code that reads the tree recursively. */
export const MAX_DEPTH = 200

export const hasBranches = <N extends TreeNode<N>>(node: N): node is SplitIn<N> => node.branches !== undefined

/** A sequence that a walk is in, and the index of its next node. */
interface Sequence<N> extends Container {
  readonly steps: readonly N[]
  readonly depth: number
  next: number
}

/** Yields every node of a tree with its place, a split before the nodes in it. It takes the same time for each, however deep they are. */
export function* walkTree<N extends TreeNode<N>>(tree: readonly N[]): Generator<Located<N>> {
  const open: Sequence<N>[] = [{ ...TRUNK, steps: tree, depth: 0, next: 0 }]
  for (let sequence = open.at(-1); sequence; sequence = open.at(-1)) {
    const { steps, split_id, branch, depth } = sequence
    const index = sequence.next++
    const node = steps[index]
    if (node === undefined) {
      open.pop()
      continue
    }
    yield { node, place: { split_id, branch, index }, depth }
    if (!hasBranches(node)) continue
    const [first, second] = node.branches
    const inside = { split_id: node.id, depth: depth + 1, next: 0 }
    open.push({ ...inside, steps: second, branch: 1 }, { ...inside, steps: first, branch: 0 })
  }
}

/** Returns all nodes of a kind with their places. */
export const locateAll = <N extends TreeNode<N>, K extends N>(
  tree: readonly N[],
  is: (node: N) => node is K,
): readonly Located<K>[] => [...walkTree(tree)].filter((one): one is Located<K> => is(one.node))

/** Returns the node with an id, and its place. */
export const locateNode = <N extends TreeNode<N>>(tree: readonly N[], id: number): Located<N> | undefined => {
  for (const located of walkTree(tree)) if (located.node.id === id) return located
  return undefined
}

/** Returns the nodes of a container; empty when there is no such container. */
export const nodesIn = <N extends TreeNode<N>>(tree: readonly N[], { split_id, branch }: Container): readonly N[] =>
  split_id === null ? tree : (locateNode(tree, split_id)?.node.branches?.[branch] ?? [])

const withBranches = <N extends TreeNode<N>>(
  node: SplitIn<N>,
  change: (steps: readonly N[], branch: Branch) => readonly N[],
): N => ({ ...node, branches: [change(node.branches[0], 0), change(node.branches[1], 1)] })

const alterContainer = <N extends TreeNode<N>>(
  tree: readonly N[],
  { split_id, branch }: Container,
  change: (steps: readonly N[]) => readonly N[],
): readonly N[] => {
  const alter = (steps: readonly N[]): readonly N[] =>
    steps.map((node) => {
      if (!hasBranches(node)) return node
      if (node.id !== split_id) return withBranches(node, alter)
      return withBranches(node, (inner, at) => (at === branch ? change(inner) : inner))
    })
  return split_id === null ? change(tree) : alter(tree)
}

/** Returns the tree with further nodes at a place. */
export const insertAt = <N extends TreeNode<N>>(
  tree: readonly N[],
  place: TreePosition,
  nodes: readonly N[],
): readonly N[] =>
  alterContainer(tree, place, (steps) => [...steps.slice(0, place.index), ...nodes, ...steps.slice(place.index)])

/** Returns the tree with one node replaced by the result of `change`: other nodes, or none to remove it. */
export const alterNode = <N extends TreeNode<N>>(
  tree: readonly N[],
  id: number,
  change: (node: N) => readonly N[],
): readonly N[] =>
  tree.flatMap((node) => {
    if (node.id === id) return change(node)
    return hasBranches(node) ? [withBranches(node, (steps) => alterNode(steps, id, change))] : [node]
  })

/** Returns the tree without a node and what is in its branches. */
export const withoutNode = <N extends TreeNode<N>>(tree: readonly N[], id: number): readonly N[] =>
  alterNode(tree, id, () => [])

/** Returns the tree with a node at another place, whose index does not count the node itself. */
export const withNodeMoved = <N extends TreeNode<N>>(
  tree: readonly N[],
  id: number,
  place: TreePosition,
): readonly N[] => {
  const moved = locateNode(tree, id)?.node
  return moved ? insertAt(withoutNode(tree, id), place, [moved]) : tree
}
