import { isSplit, type PageNode, type SplitNode, type Tree } from './tree.ts'

/** Split at the entry of a funnel, with the steps that each of its branches may begin with. */
export interface EntrySplitNode {
  readonly node: SplitNode
  readonly begins: readonly [readonly PageNode[], readonly PageNode[]]
}

/** Returns the steps that a visitor who enters a sequence may come to first. A branch without steps goes on behind its split. */
const firstPages = ([first, ...rest]: Tree, after: Tree): readonly PageNode[] => {
  if (!first) return after.length > 0 ? firstPages(after, []) : []
  if (!isSplit(first)) return [first]
  const then = [...rest, ...after]
  return unique(first.branches.flatMap((branch) => firstPages(branch, then)))
}

const unique = (nodes: readonly PageNode[]): readonly PageNode[] => [...new Set(nodes)]

/** Returns the splits that visitors may pass before they come to the first page of a funnel, the outer ones first. */
export const entrySplits = ([first, ...rest]: Tree, after: Tree = []): readonly EntrySplitNode[] => {
  if (!first) return after.length > 0 ? entrySplits(after) : []
  if (!isSplit(first)) return []
  const then = [...rest, ...after]
  const [one, other] = first.branches
  const inner = [...entrySplits(one, then), ...entrySplits(other, then)]
  const own: EntrySplitNode = { node: first, begins: [firstPages(one, then), firstPages(other, then)] }
  return [own, ...new Map(inner.map((split) => [split.node.id, split])).values()]
}
