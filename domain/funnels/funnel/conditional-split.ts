import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { BranchWish, CommandOf, ConditionWish, Slot } from './commands.ts'
import type { FunnelFacts } from './facts.ts'
import { Draft, type Funnel, fill, firstPage, newStep, splitPlace } from './splits.ts'
import type { FunnelState } from './state.ts'
import {
  type Branch,
  type ConditionalNode,
  type FilterRef,
  locatePage,
  locateSplit,
  type PageNode,
  stepsIn,
} from './tree.ts'

const ROOT = 'conditional_split_step'
const branchField = (branch: number): string => `${ROOT}.branches[${branch}]`

const filterOf = (condition: ConditionWish | undefined, facts: FunnelFacts): FilterRef | undefined | Refusal => {
  if (!condition) return undefined
  const field = 'condition.filter_id'
  if (condition.raw) return refuse.invalid(`${field} must be a stable identifier, not a raw numeric id`, field, 'type')
  return facts.filter ?? refuse.invalid(`${field} not found in this workspace`, field, 'not_found')
}

const shapeProblem = (branches: readonly BranchWish[]): Refusal | undefined => {
  for (const [index, { unsupported, single, sequence }] of branches.entries()) {
    if (unsupported.length > 0) {
      const text = `${branchField(index)} has unsupported keys: ${unsupported.join(', ')}. Accepted keys: page_id, page_ids.`
      return refuse.invalid(text, branchField(index), 'unpermitted')
    }
    if (single && sequence) {
      return refuse.malformed(
        `${branchField(index)} must provide either page_id or page_ids, not both`,
        branchField(index),
        'exclusion',
      )
    }
  }
  return undefined
}

const sequenceSlots = (branch: number, sequence: readonly Slot[]) =>
  sequence.map((slot, index) => ({ slot, field: `${branchField(branch)}.page_ids[${index}]` }))

/** Puts a page in the place of the one that the first step of a branch shows; the step and what follows it stay. */
const swapFirst = (
  draft: Draft,
  first: PageNode,
  slot: Slot,
  field: string,
  facts: FunnelFacts,
): Refusal | undefined => {
  if (first.page_id === slot.pageId) return undefined
  const step = newStep(slot, field, draft, facts)
  if (step instanceof Refusal) return step
  const { id: step_id, show_page_step_id, page_id: former_page_id } = first
  const current_path = facts.pages.get(slot.pageId)?.external ? null : (first.current_path ?? step.current_path)
  const { place } = locatePage(draft.tree, former_page_id)!
  draft.add({
    type: 'PageSwapped',
    data: { step_id, show_page_step_id, page_id: slot.pageId, former_page_id, current_path, place },
  })
  return undefined
}

const changeBranch = (
  draft: Draft,
  splitId: number,
  branch: Branch,
  wish: BranchWish,
  facts: FunnelFacts,
): Refusal | undefined => {
  const container = { split_id: splitId, branch }
  const steps = stepsIn(draft.tree, container)
  if (wish.sequence)
    return fill(draft, facts, { ...container, index: steps.length }, sequenceSlots(branch, wish.sequence))
  if (!wish.single) return undefined
  const field = `${branchField(branch)}.page_id`
  if (steps.length === 0) return fill(draft, facts, { ...container, index: 0 }, [{ slot: wish.single, field }])
  const first = firstPage(steps)
  if (!first)
    return refuse.invalid(
      `${branchField(branch)} begins with another split; change that one`,
      branchField(branch),
      'split',
    )
  return swapFirst(draft, first, wish.single, field, facts)
}

const changeBranches = (
  draft: Draft,
  splitId: number,
  branches: readonly BranchWish[],
  facts: FunnelFacts,
): Refusal | undefined => {
  for (const [branch, wish] of branches.entries()) {
    const refusal = changeBranch(draft, splitId, branch as Branch, wish, facts)
    if (refusal) return refusal
  }
  return undefined
}

/** A new split by a stored filter; condition and branches may follow later. */
export const insertConditionalSplit = (
  state: FunnelState,
  command: CommandOf<'InsertConditionalSplit'>,
  facts: FunnelFacts,
): Funnel => {
  const { splitId, condition, branches, anchor } = command
  if (locateSplit(state.tree, splitId)) return []
  if (branches.length > 2)
    return refuse.invalid(`${ROOT}.branches must have at most 2 entries`, `${ROOT}.branches`, 'length')
  const filter = filterOf(condition, facts)
  if (filter instanceof Refusal) return filter
  const problem = shapeProblem(branches)
  if (problem) return problem
  const place = splitPlace(state.tree, anchor, ROOT)
  if (place instanceof Refusal) return place
  const draft = new Draft(state.tree)
  const split: ConditionalNode = {
    type: 'conditional_split_step',
    id: splitId,
    filter: filter ?? null,
    branches: [[], []],
  }
  draft.add({ type: 'SplitInserted', data: { split, place } })
  return changeBranches(draft, splitId, branches, facts) ?? draft.events
}

export const changeConditionalSplit = (
  state: FunnelState,
  command: CommandOf<'ChangeConditionalSplit'>,
  facts: FunnelFacts,
): Funnel => {
  const { splitId, condition, branches } = command
  const split = locateSplit(state.tree, splitId)?.node
  if (split?.type !== 'conditional_split_step') return refuse.notFound()
  if (!condition && !branches) {
    return refuse.invalid(`${ROOT} must have at least one of condition, branches`, ROOT, 'blank')
  }
  const filter = filterOf(condition, facts)
  if (filter instanceof Refusal) return filter
  if (branches && branches.length !== 2)
    return refuse.invalid(`${ROOT}.branches must have 2 entries`, `${ROOT}.branches`, 'length')
  const problem = branches && shapeProblem(branches)
  if (problem) return problem
  const draft = new Draft(state.tree)
  if (filter && filter.id !== split.filter?.id)
    draft.add({ type: 'SplitConditionSet', data: { split_id: splitId, filter } })
  return changeBranches(draft, splitId, branches ?? [], facts) ?? draft.events
}
