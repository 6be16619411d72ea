import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { NamedRecord } from '../../resources/attributes/named-record.ts'
import {
  type Branch,
  type Container,
  type Located,
  locateNode,
  MAX_DEPTH,
  nodesIn,
  TRUNK,
  type TreePosition,
  withoutNode,
} from '../../resources/tree/tree.ts'
import { splittingOf } from '../steps/index.ts'
import type { Splitting } from '../steps/step-type.ts'
import type { StepNode, StepTree } from './tree.ts'

/** Where a client wants a step. */
export type WantedPlace = {
  /** Split into whose branch the step goes; `null`: onto the trunk. */
  readonly parent?: NamedRecord | null
  readonly branch?: string | null
  readonly position?: number | null
  readonly after?: NamedRecord | null
}

const notFound = (field: string, { sent }: NamedRecord): Refusal =>
  refuse.invalid(`\`${field}\` '${sent}' was not found in this workspace.`, field, 'not_found')

const branchOf = (
  { names, formerNames = names, says }: Splitting,
  name: string | null | undefined,
): Branch | Refusal => {
  const at = ([0, 1] as const).find((branch) => names[branch] === name || formerNames[branch] === name)
  return at ?? refuse.invalid(says, 'branch', 'inclusion')
}

const branchIn = (tree: StepTree, parent: NamedRecord, branch: string | null | undefined): Container | Refusal => {
  const split = locateNode<StepNode>(tree, parent.id)?.node
  if (!split) return notFound('parent_step_id', parent)
  const splitting = splittingOf(split.type)
  if (!splitting) return refuse.invalid('parent_step_id must be a split step', 'parent_step_id', 'type')
  const at = branchOf(splitting, branch)
  return typeof at === 'number' ? { split_id: split.id, branch: at } : at
}

/** Returns the container that a client names; the present one, or the trunk, if it names none. */
const containerFor = (tree: StepTree, { parent, branch }: WantedPlace, present: Container): Container | Refusal => {
  if (parent) return branchIn(tree, parent, branch)
  if (branch !== undefined && branch !== null)
    return refuse.invalid('parent_step_id is required when placing in a branch', 'branch', 'mismatch')
  return parent === null ? TRUNK : present
}

const isSame = (a: Container, b: Container): boolean => a.split_id === b.split_id && a.branch === b.branch

/** Returns the place directly behind a step, which must be in the container that the client names, if it names one. */
const behind = (tree: StepTree, after: NamedRecord, within: Container | undefined): TreePosition | Refusal => {
  const anchor = locateNode<StepNode>(tree, after.id)
  if (!anchor) return notFound('after_step_id', after)
  const { split_id, branch, index } = anchor.place
  if (within && !isSame(within, anchor.place))
    return refuse.invalid('after_step_id must be a step of the branch', 'after_step_id', 'mismatch')
  return { split_id, branch, index: index + 1 }
}

/** Tells whether a client says anything about a place. `null` says something of the split alone. */
export const isPlaced = ({ parent, branch, position, after }: WantedPlace): boolean =>
  parent !== undefined || [branch, position, after].some((one) => one !== undefined && one !== null)

/**
 * Returns the place of a step in a tree, or why it cannot be there. Without any wish it goes to the end of the trunk. A step that is moved stays in its
 * container unless another is named, and where it is if only the present one is named.
 *
 * @param moved the step, if it is in the tree already
 */
export const placeFor = (tree: StepTree, wanted: WantedPlace, moved?: Located<StepNode>): TreePosition | Refusal => {
  const { position, after, parent } = wanted
  if (typeof position === 'number' && after)
    return refuse.invalid('position and after_step_id exclude each other', 'position', 'exclusion')
  if (after && after.id === moved?.node.id)
    return refuse.invalid('after_step_id cannot be the step itself', 'after_step_id', 'exclusion')
  const others = moved ? withoutNode<StepNode>(tree, moved.node.id) : tree
  const container = containerFor(others, wanted, moved?.place ?? TRUNK)
  if (!('split_id' in container)) return container
  if (after) return behind(others, after, parent === undefined ? undefined : container)
  const { split_id, branch } = container
  const { length } = nodesIn<StepNode>(others, container)
  const present = moved && isSame(container, moved.place) ? moved.place.index : length
  const index = position ?? present
  return index < 0 || index > length
    ? refuse.invalid(`position ${index} is out of bounds (0 to ${length})`, 'position', 'out_of_bounds')
    : { split_id, branch, index }
}

/** Refuses a split that would lie deeper than trees may. */
export const depthProblem = (tree: StepTree, { split_id }: Container): Refusal | undefined => {
  const depth = split_id === null ? 0 : (locateNode<StepNode>(tree, split_id)?.depth ?? 0) + 1
  return depth >= MAX_DEPTH
    ? refuse.invalid(`Splits can be nested ${MAX_DEPTH} deep`, 'parent_step_id', 'too_deep')
    : undefined
}
