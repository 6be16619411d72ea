import type { JsonObject } from '../../kernel/values/event.ts'
import { type Branches, hasBranches, type TreeNode, type Weights } from './tree.ts'

/** A split as clients see it: by chance where it has weights, or else by a condition. */
interface Split<N> {
  readonly branches: Branches<N>
  readonly weights?: Weights
}

/** Presents one node, without what follows from its place. */
type Present<N> = (node: N, sort_order: number) => JsonObject

/** Returns the id of the node after the one at `index`: the next of its sequence, or else the node after the split around it. */
export const convergenceOf = <N extends TreeNode<N>>(
  steps: readonly N[],
  index: number,
  after: number | null,
): number | null => steps[index + 1]?.id ?? after

/** Returns the `sort_order` of each node of a sequence. In the contract a new sequence begins after a split, so it starts again there. */
export const sortOrders = <N extends TreeNode<N>>(steps: readonly N[]): readonly number[] => {
  let begin = 0
  return steps.map((node, index) => {
    const order = index - begin
    if (hasBranches(node)) begin = index + 1
    return order
  })
}

const presentSides = ({ weights }: Split<unknown>, [first, second]: readonly (readonly JsonObject[])[]): JsonObject =>
  weights === undefined
    ? {
        branches: [
          { branch: 'matched', steps: first },
          { branch: 'unmatched', steps: second },
        ],
      }
    : {
        variants: [
          { weight: weights[0], steps: first },
          { weight: weights[1], steps: second },
        ],
      }

/**
 * Presents a sequence of nodes with all branches inlined. Containers and convergences are not shown.
 *
 * @param after id of the node that follows the sequence
 */
export const presentNodes = <N extends TreeNode<N>>(
  steps: readonly N[],
  asSplit: (node: N) => Split<N> | undefined,
  present: Present<N>,
  after: number | null = null,
): JsonObject[] => {
  const orders = sortOrders(steps)
  return steps.map((node, index) => {
    const shown = present(node, orders[index] ?? 0)
    const split = asSplit(node)
    if (!split) return shown
    const next = convergenceOf(steps, index, after)
    const sides = split.branches.map((branch) => presentNodes(branch, asSplit, present, next))
    return { ...shown, convergence_step_id: next, ...presentSides(split, sides) }
  })
}
