import type { FunnelEvent } from './events.ts'
import { insertAt, isPage, isSplit, locateSplit, type Node, replaceNode, type Tree, walk } from './tree.ts'

const nodeById = (tree: Tree, id: number): Node | undefined => {
  for (const { node } of walk(tree)) if (node.id === id) return node
  return undefined
}

const alter = (tree: Tree, id: number, change: (node: Node) => Node): Tree => {
  const node = nodeById(tree, id)
  return node ? replaceNode(tree, id, [change(node)]) : tree
}

/** The tree after an event; the one place that knows how events shape it, for decisions and documents alike. */
export const grow = (tree: Tree, event: FunnelEvent): Tree => {
  switch (event.type) {
    case 'StepPlaced':
      return insertAt(tree, event.data.place, [event.data.step])
    case 'PageSwapped': {
      const { page_id, current_path } = event.data
      return alter(tree, event.data.step_id, (node) => (isPage(node) ? { ...node, page_id, current_path } : node))
    }
    case 'PageMoved': {
      const node = nodeById(tree, event.data.step_id)
      return node ? insertAt(replaceNode(tree, node.id, []), event.data.place, [node]) : tree
    }
    case 'StepRemoved':
      return replaceNode(tree, event.data.step_id, [])
    case 'SplitInserted':
      return insertAt(tree, event.data.place, [event.data.split])
    case 'SplitCollapsed': {
      const split = locateSplit(tree, event.data.split_id)?.node
      const { kept } = event.data
      return split ? replaceNode(tree, split.id, kept === null ? [] : split.branches[kept]) : tree
    }
    case 'VariantsWeighted': {
      const { weights } = event.data
      return alter(tree, event.data.split_id, (node) => (node.type === 'split_test_step' ? { ...node, weights } : node))
    }
    case 'SplitConditionSet': {
      const { filter } = event.data
      return alter(tree, event.data.split_id, (node) =>
        isSplit(node) && node.type === 'conditional_split_step' ? { ...node, filter } : node,
      )
    }
    default:
      return tree
  }
}
