import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { CommandOf, VariantWish } from './commands.ts'
import type { FunnelFacts } from './facts.ts'
import { moveTo, removal } from './placing.ts'
import { Draft, type Funnel, fill, firstPage, splitPlace } from './splits.ts'
import type { FunnelState } from './state.ts'
import { type Branch, locatePage, locateSplit, type SplitTestNode, stepsIn } from './tree.ts'

const ROOT = 'split_test_step'
const variantField = (index: number, name: string): string => `${ROOT}.variants[${index}].${name}`

const isWeight = (weight: unknown): weight is number =>
  typeof weight === 'number' && Number.isInteger(weight) && weight >= 0 && weight <= 100

const shapeProblem = (variants: readonly VariantWish[]): Refusal | undefined => {
  for (const [index, { unsupported, weight }] of variants.entries()) {
    if (unsupported.length > 0) {
      const text = `${ROOT}.variants[${index}] has unsupported keys: ${unsupported.join(', ')}. Accepted keys: page_id, weight.`
      return refuse.invalid(text, `${ROOT}.variants[${index}]`, 'unpermitted')
    }
    if (weight !== undefined && !isWeight(weight)) {
      return refuse.invalid(
        `${variantField(index, 'weight')} must be an integer from 0 to 100`,
        variantField(index, 'weight'),
        'inclusion',
      )
    }
  }
  return undefined
}

/** Weights of both branches: as sent, `fallback` when none are, or why they cannot be. */
const weightsOf = (
  variants: readonly VariantWish[],
  fallback: readonly [number, number],
): readonly [number, number] | Refusal => {
  const sent = variants.map(({ weight }) => weight as number | undefined)
  if (sent.every((weight) => weight === undefined)) return fallback
  if (sent.some((weight) => weight === undefined)) {
    return refuse.invalid(`${ROOT}.variants must give a weight each, or none`, `${ROOT}.variants`, 'weights')
  }
  const [first = 0, second = 100 - first] = sent as number[]
  if (first + second === 100) return [first, second]
  return refuse.invalid(`${ROOT}.variants weights must sum to 100`, `${ROOT}.variants`, 'weights')
}

/** Wraps a page of this funnel into a new split test and puts a fresh page, if any, beside it. */
export const insertSplitTest = (
  state: FunnelState,
  command: CommandOf<'InsertSplitTest'>,
  facts: FunnelFacts,
): Funnel => {
  const { splitId, variants, anchor } = command
  if (locateSplit(state.tree, splitId)) return []
  if (variants.length < 1 || variants.length > 2) {
    return refuse.invalid(`${ROOT}.variants must have 1 or 2 entries`, `${ROOT}.variants`, 'length')
  }
  const problem = shapeProblem(variants)
  if (problem) return problem
  const weights = weightsOf(variants, variants.length === 1 ? [100, 0] : [50, 50])
  if (weights instanceof Refusal) return weights
  const wrapped = variants[0]?.slot
  const inFunnel = wrapped && locatePage(state.tree, wrapped.pageId)
  if (!inFunnel) {
    return refuse.invalid(
      `${variantField(0, 'page_id')} does not belong to this funnel`,
      variantField(0, 'page_id'),
      'not_found',
    )
  }
  const place = splitPlace(state.tree, anchor, ROOT)
  if (place instanceof Refusal) return place
  const draft = new Draft(state.tree)
  const split: SplitTestNode = { type: 'split_test_step', id: splitId, weights, branches: [[], []] }
  draft.add({ type: 'SplitInserted', data: { split, place } })
  draft.add(...moveTo(locatePage(draft.tree, wrapped.pageId)!, { split_id: splitId, branch: 0, index: 0 }))
  const fresh = variants[1]?.slot
  const refusal =
    fresh &&
    fill(draft, facts, { split_id: splitId, branch: 1, index: 0 }, [{ slot: fresh, field: variantField(1, 'page_id') }])
  return refusal ?? draft.events
}

/** Attaches a page to an empty branch, or puts it in the place of the step that the branch begins with. */
const changeVariant = (
  draft: Draft,
  splitId: number,
  branch: Branch,
  { slot }: VariantWish,
  facts: FunnelFacts,
): Refusal | undefined => {
  if (slot === undefined) return undefined
  const field = variantField(branch, 'page_id')
  if (slot === null)
    return refuse.invalid(`${field} can't be blank; a branch is taken away with DELETE and branch`, field, 'blank')
  const container = { split_id: splitId, branch }
  const first = firstPage(stepsIn(draft.tree, container))
  if (first?.page_id === slot.pageId) return undefined
  const refusal = fill(draft, facts, { ...container, index: 0 }, [{ slot, field }])
  if (refusal) return refusal
  if (first) draft.add(removal(locatePage(draft.tree, first.page_id)!))
  return undefined
}

export const changeSplitTest = (
  state: FunnelState,
  command: CommandOf<'ChangeSplitTest'>,
  facts: FunnelFacts,
): Funnel => {
  const { splitId, variants } = command
  const split = locateSplit(state.tree, splitId)?.node
  if (split?.type !== 'split_test_step') return refuse.notFound()
  if (variants.length !== 2) return refuse.invalid(`${ROOT}.variants must have 2 entries`, `${ROOT}.variants`, 'length')
  const problem = shapeProblem(variants)
  if (problem) return problem
  const weights = weightsOf(variants, split.weights)
  if (weights instanceof Refusal) return weights
  const draft = new Draft(state.tree)
  for (const [branch, variant] of variants.entries()) {
    const refusal = changeVariant(draft, splitId, branch as Branch, variant, facts)
    if (refusal) return refusal
  }
  if (weights[0] !== split.weights[0]) draft.add({ type: 'VariantsWeighted', data: { split_id: splitId, weights } })
  return draft.events
}
