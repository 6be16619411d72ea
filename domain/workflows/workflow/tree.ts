import { insertAt, type TreePosition, withNodeMoved, withoutNode } from '../../resources/tree/tree.ts'
import type { StepInRun, StepSettings } from '../steps/effect.ts'
import { isSplitType, type StepTypeName } from '../steps/index.ts'
import { type OwnRevisions, ownRevisionOf } from './own-records.ts'

/** A step in the tree of a workflow. Splits have branches. Names and settings are in the records of the steps. */
export type StepNode = {
  readonly id: number
  readonly type: StepTypeName
  readonly branches?: readonly [StepTree, StepTree]
}

/** Steps in the order in which a run goes through them. After a split, both branches continue with the next step. */
export type StepTree = readonly StepNode[]

/** A step as a version has it: frozen, with everything that a run needs. */
export type FrozenStep = StepInRun & {
  readonly type: StepTypeName
  readonly branches?: readonly [FrozenTree, FrozenTree]
}

export type FrozenTree = readonly FrozenStep[]

/** Data of the events that change the tree. An index counts the steps of its container without the step itself. */
export type StepEvents = {
  readonly StepAdded: { readonly step_id: number; readonly step_type: StepTypeName; readonly place: TreePosition }
  readonly StepMoved: { readonly step_id: number; readonly from: TreePosition; readonly place: TreePosition }
  /** A split is removed with everything in its branches. */
  readonly StepRemoved: { readonly step_id: number; readonly removed_step_ids: readonly number[] }
}

/** Returns the tree after an event, by event type. */
export const treeAfter: { readonly [T in keyof StepEvents]: (tree: StepTree, data: StepEvents[T]) => StepTree } = {
  StepAdded: (tree, { step_id: id, step_type: type, place }) =>
    insertAt<StepNode>(tree, place, [isSplitType(type) ? { id, type, branches: [[], []] } : { id, type }]),
  StepMoved: (tree, { step_id, place }) => withNodeMoved<StepNode>(tree, step_id, place),
  StepRemoved: (tree, { step_id }) => withoutNode<StepNode>(tree, step_id),
}

/** Returns the tree with the names and settings of its steps. */
export const frozen = (
  tree: StepTree,
  contentOf: (id: number) => { readonly name: string | null; readonly settings: StepSettings } | undefined,
  revisions: OwnRevisions,
): FrozenTree =>
  tree.map(({ id, type, branches }): FrozenStep => {
    const { name, settings = {} } = contentOf(id) ?? {}
    const mail_revision = ownRevisionOf({ step_type: type, settings }, revisions)
    const step = { id, type, name: name ?? '', settings, ...(mail_revision !== undefined && { mail_revision }) }
    if (!branches) return step
    const inside = branches.map((steps) => frozen(steps, contentOf, revisions))
    return { ...step, branches: [inside[0] ?? [], inside[1] ?? []] }
  })
