import { refineFilter } from '../../filters/refine-filter/model.ts'
import { isObject } from '../../kernel/model/parse.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { page } from '../../pages/page/model.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { showPageStep } from '../funnel/model.ts'
import { TREE_NODE } from '../funnel/tree.ts'
import {
  MOST_PAGES,
  type Slot,
  type WantedBranch,
  type WantedCondition,
  type WantedSplit,
  type WantedVariant,
} from '../funnel/wanted.ts'

const isBlank = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** A split has two branches. One entry more suffices for the rules to refuse the number. */
const MOST_ENTRIES = 3

/** Reads the entries of a list of objects. Refuses any other value. */
const entriesOf = <T>(sent: Json | undefined, name: string, read: (entry: JsonObject) => T): readonly T[] | Refusal => {
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent) || !sent.every((entry): entry is JsonObject => isObject(entry)))
    return refuse.invalid(`${name} must be an array of objects`, name, 'type')
  return sent.slice(0, MOST_ENTRIES).map(read)
}

/** Returns a slot of a split for a sent page id, with new ids for its step. A text that is no id becomes 0. */
const slotFor =
  ({ parseId, mint }: WriteInput) =>
  (pageId: Json | undefined): Slot => ({
    pageId: parseId(pageId, page.name) ?? 0,
    stepId: mint({ name: TREE_NODE }),
    showPageStepId: mint(showPageStep),
  })

const variantsOf = (input: WriteInput): readonly WantedVariant[] | Refusal =>
  entriesOf(input.fields.variants, 'variants', ({ page_id, weight, ...others }) => ({
    ...(page_id !== undefined && { slot: isBlank(page_id) ? null : slotFor(input)(page_id) }),
    ...(weight !== undefined && {
      weight: typeof weight === 'string' && /^\d+$/.test(weight) ? Number(weight) : weight,
    }),
    unsupported: Object.keys(others),
  }))

const branchesOf = (input: WriteInput): readonly WantedBranch[] | Refusal =>
  entriesOf(input.fields.branches, 'branches', ({ page_id, page_ids, ...others }) => {
    const isNoList = page_ids !== undefined && page_ids !== null && !Array.isArray(page_ids)
    return {
      ...(!isBlank(page_id) && { single: slotFor(input)(page_id) }),
      ...(Array.isArray(page_ids) && { sequence: page_ids.slice(0, MOST_PAGES + 1).map(slotFor(input)) }),
      unsupported: [...Object.keys(others), ...(isNoList ? ['page_ids'] : [])],
    }
  })

/** Reads the condition. A filter is named by its public id, because a number could be the id of any record. */
const conditionOf = ({ fields: { condition: sent }, parseId }: WriteInput): WantedCondition | Refusal | undefined => {
  if (sent === undefined || sent === null) return undefined
  if (!isObject(sent)) return refuse.invalid('condition must be an object with filter_id', 'condition', 'type')
  const id = sent.filter_id
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id))) return { raw: true }
  return { raw: false, filterId: parseId(id, refineFilter.name) ?? 0 }
}

/** Reads the step that the split goes after; 0 for a text that is no id. */
const anchorOf = ({ fields: { show_page_step_id: sent }, parseId }: WriteInput): Pick<WantedSplit, 'anchor'> =>
  isBlank(sent) ? {} : { anchor: parseId(sent, showPageStep.name) ?? 0 }

/** Reads the input for a split test. */
export const wantedTest = (input: WriteInput): WantedSplit | Refusal => {
  const variants = variantsOf(input)
  return variants instanceof Refusal ? variants : { variants, ...anchorOf(input) }
}

/** Reads the input for a conditional split. Branches that are not sent stay as they are. */
export const wantedConditional = (input: WriteInput): WantedSplit | Refusal => {
  const condition = conditionOf(input)
  if (condition instanceof Refusal) return condition
  const branches = branchesOf(input)
  if (branches instanceof Refusal) return branches
  const { branches: sent } = input.fields
  return {
    ...(condition && { condition }),
    ...(sent !== undefined && sent !== null && { branches }),
    ...anchorOf(input),
  }
}

/** Reads which branch is removed with a split, by the names that its type has for the two; both unless one is named. */
export const wantedDrop =
  (names: readonly [string, string]) =>
  ({ query }: WriteInput): WantedSplit | Refusal => {
    const branch = query.branch ?? 'both'
    if (branch === 'both') return { drop: 'both' }
    if (branch === names[0]) return { drop: 0 }
    if (branch === names[1]) return { drop: 1 }
    return refuse.malformed(`branch must be one of: ${names.join(', ')}, both`, 'branch', 'inclusion')
  }
