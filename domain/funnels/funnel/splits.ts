import type { Decision } from '../../kernel/decider.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Slot } from './commands.ts'
import type { FunnelEvent, StepRef } from './events.ts'
import type { FunnelFacts } from './facts.ts'
import { grow } from './growth.ts'
import { stepPath } from './placing.ts'
import type { FunnelState } from './state.ts'
import {
  type Branch,
  isPage,
  isSplit,
  locatePage,
  locateSplit,
  locateStep,
  type PageNode,
  type Place,
  TRUNK,
  type Tree,
  walk,
} from './tree.ts'

export type Funnel = Decision<FunnelEvent>

/** Splits inside splits: deeper than anyone draws, and shallow enough for whoever reads the tree recursively. */
const MAX_DEPTH = 200

/** Events in the making, with the tree as it stands after them. */
export class Draft {
  readonly events: FunnelEvent[] = []
  tree: Tree

  constructor(tree: Tree) {
    this.tree = tree
  }

  add(...events: readonly FunnelEvent[]): void {
    for (const event of events) {
      this.events.push(event)
      this.tree = grow(this.tree, event)
    }
  }
}

/** Where a split goes that is anchored behind a step, or at the entry; `root` names the body for the message. */
export const splitPlace = (tree: Tree, anchor: number | undefined, root: string): Place | Refusal => {
  if (anchor === undefined) return { ...TRUNK, index: 0 }
  const located = locateStep(tree, anchor)
  if (!located) {
    const field = `${root}.show_page_step_id`
    return refuse.invalid(`${field} does not belong to this funnel`, field, 'not_found')
  }
  if (located.depth >= MAX_DEPTH)
    return refuse.invalid(`Splits can be nested ${MAX_DEPTH} deep`, `${root}.show_page_step_id`, 'too_deep')
  return { ...located.place, index: located.place.index + 1 }
}

/** A page that may come into a slot of a split, as a new step; or why it may not. `field` names the slot. */
export const newStep = (slot: Slot, field: string, draft: Draft, facts: FunnelFacts): PageNode | Refusal => {
  const page = facts.pages.get(slot.pageId)
  if (!page) return refuse.malformed(`${field} not found in this workspace`, field, 'not_found')
  if (page.placed || locatePage(draft.tree, slot.pageId)) {
    return refuse.invalid(`${field} is already used by another funnel step`, field, 'taken')
  }
  const { external, name, path } = page
  const newcomer = { pageId: slot.pageId, external, name, ...(path !== null && { path }) }
  return {
    type: 'show_page_step',
    id: slot.stepId,
    show_page_step_id: slot.showPageStepId,
    page_id: slot.pageId,
    current_path: stepPath(draft.tree, newcomer),
  }
}

/** Puts new steps for these pages into a branch, one behind the other from `index` on. */
export const fill = (
  draft: Draft,
  facts: FunnelFacts,
  place: Place,
  slots: readonly { readonly slot: Slot; readonly field: string }[],
): Refusal | undefined => {
  for (const [offset, { slot, field }] of slots.entries()) {
    const step = newStep(slot, field, draft, facts)
    if (step instanceof Refusal) return step
    draft.add({ type: 'StepPlaced', data: { step, place: { ...place, index: place.index + offset } } })
  }
  return undefined
}

/** The page step that a branch begins with. */
export const firstPage = (steps: Tree): PageNode | undefined => {
  const [first] = steps
  return first && isPage(first) ? first : undefined
}

const droppedFrom = (branches: readonly Tree[]) => {
  const nodes = branches.flatMap((steps) => [...walk(steps)].map(({ node }) => node))
  return {
    dropped_steps: nodes
      .filter(isPage)
      .map(({ show_page_step_id, page_id }): StepRef => ({ show_page_step_id, page_id })),
    dropped_split_ids: nodes.filter(isSplit).map(({ id }) => id),
  }
}

/** A split goes with the branch that is dropped, or both; the steps of the other come up into its place. */
export const collapseSplit = ({ tree }: FunnelState, splitId: number, drop: Branch | 'both'): Funnel => {
  const split = locateSplit(tree, splitId)?.node
  if (!split) return refuse.notFound()
  const kept: Branch | null = drop === 'both' ? null : drop === 0 ? 1 : 0
  const gone = split.branches.filter((_, branch) => branch !== kept)
  return [{ type: 'SplitCollapsed', data: { split_id: splitId, kept, ...droppedFrom(gone) } }]
}
