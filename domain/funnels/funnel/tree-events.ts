import {
  alterNode,
  type Branch,
  type FilterRef,
  insertAt,
  isPage,
  isSplit,
  type PageNode,
  type SplitNode,
  type Tree,
  type TreePosition,
  type Weights,
  withNodeMoved,
  withoutNode,
} from './tree.ts'

export type StepRef = { readonly show_page_step_id: number; readonly page_id: number }

/** Data of the events that change a tree. An index counts the steps of its container before the event. */
export type TreeEvents = {
  readonly StepPlaced: { readonly step: PageNode; readonly place: TreePosition }
  /** A step shows another page; the former one stays in the workspace without a step. */
  readonly PageSwapped: StepRef & {
    readonly step_id: number
    readonly former_page_id: number
    readonly current_path: string | null
    readonly place: TreePosition
  }
  /** A page moves together with its step. The index of `place` does not count the step itself. */
  readonly PageMoved: StepRef & { readonly step_id: number; readonly from: TreePosition; readonly place: TreePosition }
  readonly StepRemoved: StepRef & { readonly step_id: number; readonly from: TreePosition }
  /** The branches are empty; further events fill them. */
  readonly SplitInserted: { readonly split: SplitNode; readonly place: TreePosition }
  /** The steps of the kept branch take the place of the split. The other steps are removed; their pages stay in the workspace. */
  readonly SplitCollapsed: {
    readonly split_id: number
    readonly kept: Branch | null
    readonly dropped_steps: readonly StepRef[]
    readonly dropped_split_ids: readonly number[]
    /** Pages of the kept steps that now stand where the split was. Former versions did not record them. */
    readonly moved_page_ids?: readonly number[]
  }
  readonly VariantsWeighted: { readonly split_id: number; readonly weights: Weights }
  /** `null`: the filter was removed. */
  readonly SplitConditionSet: { readonly split_id: number; readonly filter: FilterRef | null }
}

/** Returns the tree after an event, by event type. Decisions and documents both use it. */
export const treeAfter: { readonly [T in keyof TreeEvents]: (tree: Tree, data: TreeEvents[T]) => Tree } = {
  StepPlaced: (tree, { step, place }) => insertAt(tree, place, [step]),
  PageSwapped: (tree, { step_id, page_id, current_path }) =>
    alterNode(tree, step_id, (node) => [isPage(node) ? { ...node, page_id, current_path } : node]),
  PageMoved: (tree, { step_id, place }) => withNodeMoved(tree, step_id, place),
  StepRemoved: (tree, { step_id }) => withoutNode(tree, step_id),
  SplitInserted: (tree, { split, place }) => insertAt(tree, place, [split]),
  SplitCollapsed: (tree, { split_id, kept }) =>
    alterNode(tree, split_id, (node) => (kept === null || !isSplit(node) ? [] : node.branches[kept])),
  VariantsWeighted: (tree, { split_id, weights }) =>
    alterNode(tree, split_id, (node) => [node.type === 'split_test_step' ? { ...node, weights } : node]),
  SplitConditionSet: (tree, { split_id, filter }) =>
    alterNode(tree, split_id, (node) => [node.type === 'conditional_split_step' ? { ...node, filter } : node]),
}
