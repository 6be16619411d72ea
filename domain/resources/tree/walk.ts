import { type Branch, hasBranches, type TreeNode } from './tree.ts'

/** Returns what follows a node: the rest of its sequence, and then of each sequence around that; `undefined` when the tree does not have the node. */
export const nodesAfter = <N extends TreeNode<N>>(
  tree: readonly N[],
  is: (node: N) => boolean,
): readonly N[] | undefined => {
  for (const [index, node] of tree.entries()) {
    const rest = tree.slice(index + 1)
    if (is(node)) return rest
    if (!hasBranches(node)) continue
    for (const branch of node.branches) {
      const inner = nodesAfter<N>(branch, is)
      if (inner) return [...inner, ...rest]
    }
  }
  return undefined
}

/** Returns the node with which a walk through a tree begins; `undefined` for a tree without nodes. A split counts as a node. */
export const firstStep = <N extends TreeNode<N>>(tree: readonly N[]): N | undefined => tree[0]

/** Returns the first node of a branch of the node of that id, which is a split; `undefined` for an empty branch, and when there is no such split. */
const firstInBranch = <N extends TreeNode<N>>(tree: readonly N[], id: number, branch: Branch): N | undefined => {
  for (const node of tree) {
    if (!hasBranches(node)) continue
    if (node.id === id) return node.branches[branch][0]
    const inner = firstInBranch<N>(node.branches[0], id, branch) ?? firstInBranch<N>(node.branches[1], id, branch)
    if (inner) return inner
  }
  return undefined
}

/**
 * Returns the node after one: the first of the chosen branch of a split, or else the next in its sequence, or else what follows the splits around it.
 * `undefined` at the end of the tree, and when the tree does not have the node.
 *
 * @param branch for a split: the branch that was chosen; absent: what follows the split
 */
export const nextStep = <N extends TreeNode<N>>(tree: readonly N[], id: number, branch?: Branch): N | undefined =>
  (branch === undefined ? undefined : firstInBranch(tree, id, branch)) ??
  nodesAfter(tree, (node) => node.id === id)?.[0]
