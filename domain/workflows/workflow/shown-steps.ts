import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { convergenceOf, sortOrders } from '../../resources/tree/structure.ts'
import { locateNode, nodesIn } from '../../resources/tree/tree.ts'
import type { StepSettings } from '../steps/effect.ts'
import { isSplitType, type StepTypeName, splittingOf, stepTypeOf } from '../steps/index.ts'
import { isFilled } from '../steps/step-type.ts'
import { type step, workflow } from './model.ts'
import type { StepNode, StepTree } from './tree.ts'

type Step = Pick<RecordOf<typeof step>, 'step_type' | 'settings'>

export const STATES = ['active', 'notSetup', 'notDefined'] as const
export type StepState = (typeof STATES)[number]

/**
 * Returns the state of a step: `active` if it has what its type needs, `notSetup` if something is missing, and `notDefined` for a placeholder, about which
 * nothing has been said. Runs pass all but active steps.
 */
export const stateOf = (type: StepTypeName, settings: StepSettings): StepState => {
  const { initial, neverBlank, needs = [], isSetUp } = stepTypeOf(type)
  const isBlank = Object.entries(settings).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(initial[name]),
  )
  if (isBlank && !neverBlank) return 'notDefined'
  return needs.every((name) => isFilled(settings[name])) && (isSetUp?.(settings) ?? true) ? 'active' : 'notSetup'
}

/** Presents the settings of a step, under its type. */
export const shownSettings = ({ step_type, settings }: Step): JsonObject => ({
  [step_type]: stepTypeOf(step_type).shown?.of(settings) ?? settings,
})

const branchName = (tree: StepTree, split: number | null, branch: 0 | 1): string | null => {
  const type = split === null ? undefined : locateNode<StepNode>(tree, split)?.node.type
  return (type && splittingOf(type)?.names[branch]) ?? null
}

/** Returns the id of the node after the sequences around a container. */
const afterContainer = (tree: StepTree, split: number | null): number | null => {
  const around = split === null ? undefined : locateNode<StepNode>(tree, split)
  if (!around) return null
  const { place } = around
  return convergenceOf<StepNode>(nodesIn<StepNode>(tree, place), place.index, afterContainer(tree, place.split_id))
}

/** Returns what a step shows of its place in the tree. */
export const shownPlace = (id: number, parent: Document | undefined): JsonObject => {
  const tree = parent ? recordOf(workflow)(parent).tree : []
  const located = locateNode<StepNode>(tree, id)
  if (!located) return { sort_order: 0, parent_step_id: null, branch: null, convergence_step_id: null }
  const { node, place } = located
  const { split_id, branch, index } = place
  const sequence = nodesIn<StepNode>(tree, place)
  return {
    sort_order: sortOrders<StepNode>(sequence)[index] ?? 0,
    parent_step_id: split_id,
    branch: branchName(tree, split_id, branch),
    convergence_step_id: isSplitType(node.type)
      ? convergenceOf<StepNode>(sequence, index, afterContainer(tree, split_id))
      : null,
  }
}
