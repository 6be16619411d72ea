import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { type FunnelFacts, loadFacts } from './facts.ts'
import { conditionalSplit, funnel } from './model.ts'
import { pageSwapData } from './page-steps.ts'
import { collapse, type NamedSlot, splitPlace, TreeDraft } from './splits.ts'
import { type Branch, type FilterRef, firstPage, locatePage, locateSplit } from './tree.ts'
import { MOST_PAGES, type WantedBranch, type WantedSplit } from './wanted.ts'

const { event } = funnel

const ROOT = 'conditional_split_step'
const branchField = (branch: number): string => `${ROOT}.branches[${branch}]`
const wrongLength = (says: string): Refusal =>
  refuse.invalid(`${ROOT}.branches must have ${says}`, `${ROOT}.branches`, 'length')

const filterOf = ({ condition }: WantedSplit, { filter }: FunnelFacts): FilterRef | undefined | Refusal => {
  if (!condition) return undefined
  const field = 'condition.filter_id'
  if (condition.raw) return refuse.invalid(`${field} must be a stable identifier, not a raw numeric id`, field, 'type')
  return filter ?? refuse.invalid(`${field} not found in this workspace`, field, 'not_found')
}

const shapeProblem = (branches: readonly WantedBranch[]): Refusal | undefined => {
  for (const [index, { unsupported, single, sequence }] of branches.entries()) {
    const field = branchField(index)
    if (sequence && sequence.length > MOST_PAGES) {
      const says = `${field}.page_ids has more than ${MOST_PAGES} items`
      return refuse.invalid(says, `${field}.page_ids`, 'too_long')
    }
    if (unsupported.length > 0) {
      const says = `${field} has unsupported keys: ${unsupported.join(', ')}. Accepted keys: page_id, page_ids.`
      return refuse.invalid(says, field, 'unpermitted')
    }
    if (single && sequence)
      return refuse.malformed(`${field} must provide either page_id or page_ids, not both`, field, 'exclusion')
  }
  return undefined
}

/** Replaces the page that the first step of a branch shows. The step and the steps after it stay. */
const swapFirst = (draft: TreeDraft, former: number, named: NamedSlot): Refusal | undefined => {
  const { pageId } = named.slot
  if (former === pageId) return undefined
  const steps = draft.newSteps([named])
  const first = locatePage(draft.tree, former)
  if (steps instanceof Refusal || !first) return steps instanceof Refusal ? steps : undefined
  const path = draft.pages.get(pageId)?.external ? null : (first.node.current_path ?? steps[0]?.current_path ?? null)
  draft.add(event.PageSwapped, pageSwapData(first, pageId, path))
  return undefined
}

const changeBranch = (
  draft: TreeDraft,
  split_id: number,
  branch: Branch,
  { single, sequence }: WantedBranch,
): Refusal | undefined => {
  const container = { split_id, branch }
  const steps = draft.stepsIn(container)
  const field = branchField(branch)
  if (sequence) {
    const slots = sequence.map((slot, index) => ({ slot, field: `${field}.page_ids[${index}]` }))
    return draft.fill(container, steps.length, slots)
  }
  if (!single) return undefined
  const named = { slot: single, field: `${field}.page_id` }
  if (steps.length === 0) return draft.fill(container, 0, [named])
  const first = firstPage(steps)
  if (first) return swapFirst(draft, first.page_id, named)
  return refuse.invalid(`${field} begins with another split; change that one`, field, 'split')
}

const changeBranches = (
  draft: TreeDraft,
  id: number,
  [matched, unmatched]: readonly WantedBranch[],
): Refusal | undefined =>
  (matched && changeBranch(draft, id, 0, matched)) ?? (unmatched && changeBranch(draft, id, 1, unmatched))

/** Inserts a split by a stored filter. Its condition and branches may be set later. */
const insert = (
  { id, wanted, records }: DecisionContext<typeof conditionalSplit, WantedSplit>,
  facts: FunnelFacts,
): Events<typeof funnel> | Refusal => {
  const { branches = [], anchor } = wanted
  if (branches.length > 2) return wrongLength('at most 2 entries')
  const filter = filterOf(wanted, facts) ?? null
  if (filter instanceof Refusal) return filter
  const draft = new TreeDraft(records, facts)
  const place = shapeProblem(branches) ?? splitPlace(draft.tree, anchor, ROOT)
  if (place instanceof Refusal) return place
  draft.add(event.SplitInserted, { split: { type: 'conditional_split_step', id, filter, branches: [[], []] }, place })
  return changeBranches(draft, id, branches) ?? draft.events
}

const change = (
  { id, wanted, records }: ActContext<typeof conditionalSplit, WantedSplit>,
  facts: FunnelFacts,
): Events<typeof funnel> | Refusal => {
  const draft = new TreeDraft(records, facts)
  const split = locateSplit(draft.tree, id)?.node
  if (split?.type !== 'conditional_split_step') return refuse.notFound()
  const { condition, branches } = wanted
  if (!condition && !branches)
    return refuse.invalid(`${ROOT} must have at least one of condition, branches`, ROOT, 'blank')
  const filter = filterOf(wanted, facts)
  if (filter instanceof Refusal) return filter
  if (branches && branches.length !== 2) return wrongLength('2 entries')
  const problem = shapeProblem(branches ?? [])
  if (problem) return problem
  if (filter && filter.id !== split.filter?.id) draft.add(event.SplitConditionSet, { split_id: id, filter })
  return changeBranches(draft, id, branches ?? []) ?? draft.events
}

/** The rules of a conditional split. */
export const conditionalSplitRules = rules(conditionalSplit, {
  loadFacts: loadFacts,
  create: insert,
  change,
  remove: collapse,
})
