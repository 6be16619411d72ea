import type { Json } from '../../kernel/event.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { WriteInput } from '../../kernel/resource.ts'
import { objectOf } from '../../kinds/structure.ts'
import type { BranchWish, ConditionWish, Slot, VariantWish } from '../funnel/commands.ts'

/** A page for a slot of a split; an id that cannot be one is that of nothing. */
const slotOf = (pageId: unknown, input: WriteInput): Slot => ({
  pageId: input.parseId(pageId, 'page') ?? 0,
  stepId: input.mint('funnels/step'),
  showPageStepId: input.mint('funnels/show_page_step'),
})

const isBlank = (value: unknown): boolean => value === null || value === ''

/** The entries of a list of objects; or why it is none. */
const entriesOf = (sent: Json | undefined, name: string): readonly Readonly<Record<string, unknown>>[] | Refusal => {
  if (sent === undefined || sent === null) return []
  const isList =
    Array.isArray(sent) && sent.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry))
  return isList ? sent.map(objectOf) : refuse.invalid(`${name} must be an array of objects`, name, 'type')
}

const isRefusal = <T>(value: readonly T[] | Refusal): value is Refusal => !Array.isArray(value)

export const variantWishes = (input: WriteInput): readonly VariantWish[] | Refusal => {
  const entries = entriesOf(input.fields.variants, 'variants')
  if (isRefusal(entries)) return entries
  return entries.map(({ page_id, weight, ...others }) => ({
    ...(page_id !== undefined && { slot: isBlank(page_id) ? null : slotOf(page_id, input) }),
    ...(weight !== undefined && {
      weight: typeof weight === 'string' && /^\d+$/.test(weight) ? Number(weight) : weight,
    }),
    unsupported: Object.keys(others),
  }))
}

export const branchWishes = (input: WriteInput): readonly BranchWish[] | Refusal => {
  const entries = entriesOf(input.fields.branches, 'branches')
  if (isRefusal(entries)) return entries
  return entries.map(({ page_id, page_ids, ...others }) => ({
    ...(page_id !== undefined && !isBlank(page_id) && { single: slotOf(page_id, input) }),
    ...(Array.isArray(page_ids) && { sequence: page_ids.map((id) => slotOf(id, input)) }),
    unsupported: [
      ...Object.keys(others),
      ...(page_ids !== undefined && page_ids !== null && !Array.isArray(page_ids) ? ['page_ids'] : []),
    ],
  }))
}

/** A filter is named by its public id; a number may be that of anything (rule book 3.10). */
export const conditionWish = (input: WriteInput): ConditionWish | Refusal | undefined => {
  const sent = input.fields.condition
  if (sent === undefined || sent === null) return undefined
  if (typeof sent !== 'object' || Array.isArray(sent))
    return refuse.invalid('condition must be an object with filter_id', 'condition', 'type')
  const { filter_id: id } = objectOf(sent)
  if (id === undefined || isBlank(id)) return undefined
  if (typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id))) return { raw: true }
  return { raw: false, filterId: input.parseId(id, 'refine_filter') ?? 0 }
}

/** The step that a split goes behind; 0 when the client named what cannot be one. */
export const anchorWish = (input: WriteInput): { readonly anchor?: number } => {
  const sent = input.fields.show_page_step_id
  return sent === undefined || isBlank(sent) ? {} : { anchor: input.parseId(sent, 'funnels/show_page_step') ?? 0 }
}
