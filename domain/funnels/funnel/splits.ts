import type { ActContext, Events, StreamRecords } from '../../kernel/decide/rules.ts'
import type { EventOf, EventType } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { SPELLED_OTHERWISE } from '../../resources/attributes/path-key.ts'
import type { FunnelFacts } from './facts.ts'
import { type conditionalSplit, funnel, type splitTest } from './model.ts'
import { stepPaths } from './page-steps.ts'
import {
  type Container,
  insertAt,
  isPage,
  locateSplit,
  locateStep,
  MAX_DEPTH,
  type PageNode,
  pageNodes,
  splitNodes,
  stepsIn,
  TRUNK,
  type Tree,
  type TreePosition,
} from './tree.ts'
import { type TreeEvents, treeAfter } from './tree-events.ts'
import type { Slot, WantedSplit } from './wanted.ts'

export const treeOf = (records: StreamRecords): Tree => records.root(funnel)?.tree ?? []

/** Page that is wanted in a slot, with the field name of the slot for messages. */
export type NamedSlot = { readonly slot: Slot; readonly field: string }

/** Events of a decision in progress, with the tree after them. */
export class TreeDraft {
  readonly events: EventOf<'funnel'>[] = []
  readonly pages: FunnelFacts['pages']
  tree: Tree

  constructor(records: StreamRecords, { pages }: FunnelFacts) {
    this.tree = treeOf(records)
    this.pages = pages
  }

  add<T extends keyof TreeEvents>(makeEvent: EventType<'funnel', T, TreeEvents[T]>, data: TreeEvents[T]): void {
    this.events.push(makeEvent(data))
    this.tree = treeAfter[makeEvent.type](this.tree, data)
  }

  /** Returns new steps that show the pages of these slots. Refuses a page that is missing or already on a step. */
  newSteps(slots: readonly NamedSlot[]): readonly PageNode[] | Refusal {
    const shown = new Set(pageNodes(this.tree).map(({ page_id }) => page_id))
    const pathOf = stepPaths(this.tree)
    const steps: PageNode[] = []
    for (const { slot, field } of slots) {
      const { pageId, stepId, showPageStepId } = slot
      const page = this.pages.get(pageId)
      if (!page) return refuse.malformed(`${field} not found in this workspace`, field, 'not_found')
      if (page.in_funnel || shown.has(pageId))
        return refuse.invalid(`${field} is already used by another funnel step`, field, 'taken')
      shown.add(pageId)
      const { external, name, current_path: path } = page
      const current_path = pathOf({ external, name, ...(path !== null && { path }) })
      if (current_path instanceof Refusal)
        return refuse.invalid(`${field} has a path that ${SPELLED_OTHERWISE}`, field, 'taken')
      steps.push({
        type: 'show_page_step',
        id: stepId,
        show_page_step_id: showPageStepId,
        page_id: pageId,
        current_path,
      })
    }
    return steps
  }

  /** Puts new steps for these pages into a branch, one after the other from `index` on. */
  fill(branch: Container, index: number, slots: readonly NamedSlot[]): Refusal | undefined {
    const steps = this.newSteps(slots)
    if (steps instanceof Refusal) return steps
    for (const [offset, step] of steps.entries())
      this.events.push(funnel.event.StepPlaced({ step, place: { ...branch, index: index + offset } }))
    this.tree = insertAt(this.tree, { ...branch, index }, steps)
    return undefined
  }

  stepsIn(branch: Container): Tree {
    return stepsIn(this.tree, branch)
  }
}

/** Returns the position of a new split: after the anchor step, or at the entry. `root` names the body in messages. */
export const splitPlace = (tree: Tree, anchor: number | undefined, root: string): TreePosition | Refusal => {
  if (anchor === undefined) return { ...TRUNK, index: 0 }
  const located = locateStep(tree, anchor)
  const field = `${root}.show_page_step_id`
  if (!located) return refuse.invalid(`${field} does not belong to this funnel`, field, 'not_found')
  if (located.depth >= MAX_DEPTH) return refuse.invalid(`Splits can be nested ${MAX_DEPTH} deep`, field, 'too_deep')
  return { ...located.place, index: located.place.index + 1 }
}

/** Removes a split with one branch or both. The steps of a kept branch take its place. */
export const collapse = ({
  id,
  wanted,
  records,
}: ActContext<typeof splitTest | typeof conditionalSplit, WantedSplit>): Events<typeof funnel> | Refusal => {
  const split = locateSplit(treeOf(records), id)?.node
  if (!split) return refuse.notFound()
  const { drop = 'both' } = wanted
  const kept = drop === 'both' ? null : drop === 0 ? 1 : 0
  const dropped = split.branches.filter((_, branch) => branch !== kept).flat()
  const moved = kept === null ? [] : split.branches[kept].filter(isPage)
  return [
    funnel.event.SplitCollapsed({
      split_id: id,
      kept,
      dropped_steps: pageNodes(dropped).map(({ show_page_step_id, page_id }) => ({ show_page_step_id, page_id })),
      dropped_split_ids: splitNodes(dropped).map((one) => one.id),
      ...(moved.length > 0 && { moved_page_ids: moved.map(({ page_id }) => page_id) }),
    }),
  ]
}
