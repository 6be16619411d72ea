import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import type { Json } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { type FunnelFacts, loadFacts } from './facts.ts'
import { funnel, splitTest } from './model.ts'
import { pageMoveData, pageRemovalData } from './page-steps.ts'
import { collapse, splitPlace, TreeDraft } from './splits.ts'
import { type Branch, firstPage, locatePage, locateSplit, type Weights } from './tree.ts'
import type { WantedSplit, WantedVariant } from './wanted.ts'

const { event } = funnel

const ROOT = 'split_test_step'
const variantField = (index: number, name: string): string => `${ROOT}.variants[${index}].${name}`
const invalid = (says: string, code: string): Refusal =>
  refuse.invalid(`${ROOT}.variants ${says}`, `${ROOT}.variants`, code)

const isWeight = (weight: Json): weight is number =>
  typeof weight === 'number' && Number.isInteger(weight) && weight >= 0 && weight <= 100

const shapeProblem = (variants: readonly WantedVariant[]): Refusal | undefined => {
  for (const [index, { unsupported, weight = 0 }] of variants.entries()) {
    if (unsupported.length > 0) {
      const variant = `${ROOT}.variants[${index}]`
      const says = `${variant} has unsupported keys: ${unsupported.join(', ')}. Accepted keys: page_id, weight.`
      return refuse.invalid(says, variant, 'unpermitted')
    }
    const field = variantField(index, 'weight')
    if (!isWeight(weight)) return refuse.invalid(`${field} must be an integer from 0 to 100`, field, 'inclusion')
  }
  return undefined
}

/** Returns the weights of both branches: as sent, or `fallback` when none were sent. Refuses invalid ones. */
const weightsOf = (variants: readonly WantedVariant[], fallback: Weights): Weights | Refusal => {
  const problem = shapeProblem(variants)
  if (problem) return problem
  const [first, second = 100 - (first ?? 0)] = variants.flatMap(({ weight = null }) => (isWeight(weight) ? weight : []))
  if (first === undefined) return fallback
  if (variants.some(({ weight }) => weight === undefined)) return invalid('must give a weight each, or none', 'weights')
  return first + second === 100 ? [first, second] : invalid('weights must sum to 100', 'weights')
}

/** Wraps a page of this funnel in a new split test and puts a second page, if any, into the other branch. */
const insert = (
  { id, wanted, records }: DecisionContext<typeof splitTest, WantedSplit>,
  facts: FunnelFacts,
): Events<typeof funnel> | Refusal => {
  const { variants = [], anchor } = wanted
  if (variants.length < 1 || variants.length > 2) return invalid('must have 1 or 2 entries', 'length')
  const weights = weightsOf(variants, variants.length === 1 ? [100, 0] : [50, 50])
  if (weights instanceof Refusal) return weights
  const draft = new TreeDraft(records, facts)
  const [first, second] = variants
  const pageId = first?.slot?.pageId ?? 0
  if (!locatePage(draft.tree, pageId)) {
    const field = variantField(0, 'page_id')
    return refuse.invalid(`${field} does not belong to this funnel`, field, 'not_found')
  }
  const place = splitPlace(draft.tree, anchor, ROOT)
  if (place instanceof Refusal) return place
  draft.add(event.SplitInserted, { split: { type: 'split_test_step', id, weights, branches: [[], []] }, place })
  const wrapped = locatePage(draft.tree, pageId)
  if (wrapped) draft.add(event.PageMoved, pageMoveData(wrapped, { split_id: id, branch: 0, index: 0 }))
  const fresh = second?.slot ? [{ slot: second.slot, field: variantField(1, 'page_id') }] : []
  return draft.fill({ split_id: id, branch: 1 }, 0, fresh) ?? draft.events
}

/** Puts a page at the beginning of a branch. It replaces the page step that the branch begins with, if any. */
const changeVariant = (
  draft: TreeDraft,
  split_id: number,
  branch: Branch,
  slot: WantedVariant['slot'],
): Refusal | undefined => {
  if (slot === undefined) return undefined
  const field = variantField(branch, 'page_id')
  if (slot === null)
    return refuse.invalid(`${field} can't be blank; a branch is taken away with DELETE and branch`, field, 'blank')
  const former = firstPage(draft.stepsIn({ split_id, branch }))?.page_id
  if (former === slot.pageId) return undefined
  const refusal = draft.fill({ split_id, branch }, 0, [{ slot, field }])
  const replaced = former === undefined ? undefined : locatePage(draft.tree, former)
  if (!refusal && replaced) draft.add(event.StepRemoved, pageRemovalData(replaced))
  return refusal
}

const change = (
  { id, wanted, records }: ActContext<typeof splitTest, WantedSplit>,
  facts: FunnelFacts,
): Events<typeof funnel> | Refusal => {
  const draft = new TreeDraft(records, facts)
  const split = locateSplit(draft.tree, id)?.node
  if (split?.type !== 'split_test_step') return refuse.notFound()
  const { variants = [] } = wanted
  const [left, right] = variants
  if (!left || !right || variants.length > 2) return invalid('must have 2 entries', 'length')
  const weights = weightsOf(variants, split.weights)
  if (weights instanceof Refusal) return weights
  const refusal = changeVariant(draft, id, 0, left.slot) ?? changeVariant(draft, id, 1, right.slot)
  if (refusal) return refusal
  if (weights[0] !== split.weights[0]) draft.add(event.VariantsWeighted, { split_id: id, weights })
  return draft.events
}

/** The rules of a split test. */
export const splitTestRules = rules(splitTest, { loadFacts: loadFacts, create: insert, change, remove: collapse })
