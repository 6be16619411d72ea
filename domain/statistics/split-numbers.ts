import { Type } from 'typebox'
import type { JsonObject } from '../kernel/values/event.ts'
import { nullable } from '../resources/schemas.ts'
import { arrivalsFit, entriesFit } from './fit.ts'
import { countOf, type EntriesOfStep, type Placements } from './placements.ts'

const fits = (description: string) => nullable(Type.Boolean({ description }))

export const splitSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the step in the structure of the funnel' }),
  step_type: Type.Enum(['split_test_step', 'conditional_split_step']),
  variants: Type.Array(
    Type.Object({
      page_ids: Type.Array(Type.Integer(), { description: 'Pages that its visitors may come to first' }),
      name: Type.String({ description: 'Names of these pages' }),
      weight: nullable(Type.Integer({ description: 'Present weight; null for a conditional split' })),
      entries: Type.Integer({ description: 'Visitors who were sent to these pages, counted at that moment' }),
      arrivals: Type.Integer({ description: 'Sessions that these pages reported' }),
    }),
  ),
  former_pages: Type.Array(Type.Object({ page_id: Type.Integer(), name: Type.String(), entries: Type.Integer() }), {
    description: 'Pages to which the split sent visitors in the range, by steps that no variant begins with any more',
  }),
  entries_fit: fits(
    'Whether the entries fit the weights of their moments (χ², p ≥ 0.001); null for less than 100, and for a conditional split',
  ),
  arrivals_fit: fits(
    'Whether the arrivals divide as the entries do; null for less than 100 entries, and where weights or pages changed in the range',
  ),
  warnings: Type.Array(Type.String()),
})

/** Variant or branch of a split as statistics show it. */
export interface ShownVariant {
  /** Steps that it begins with. */
  readonly stepIds: readonly number[]
  readonly page_ids: readonly number[]
  readonly name: string
  readonly weight: number | null
  readonly arrivals: number
}

/** Split at the entry of a funnel. */
export interface ShownSplit {
  readonly id: number
  readonly step_type: 'split_test_step' | 'conditional_split_step'
  readonly variants: readonly [ShownVariant, ShownVariant]
}

const ENTRIES_WARNING =
  'The entries do not fit the weights: programs may be coming through one variant, or visitors leave out the entry.'
const ARRIVALS_WARNING =
  'The arrivals do not divide as the entries do: one variant loses visitors before it has loaded, or is also visited directly.'

/** Returns the variant that has an entry: the one that begins with its step, or that of its branch where both do or the step was not kept. */
const variantOf = ({ stepId, branch }: EntriesOfStep, variants: ShownSplit['variants']): 0 | 1 | undefined => {
  const begins = ([0, 1] as const).filter((one) => stepId === 0 || variants[one].stepIds.includes(stepId))
  return begins.includes(branch) ? branch : begins[0]
}

/** Returns the pages to which entries led by steps that are gone. */
const formerPages = (entries: readonly EntriesOfStep[], nameOf: (pageId: number) => string) =>
  [...new Set(entries.map(({ pageId }) => pageId))].map((page_id) => ({
    page_id,
    name: nameOf(page_id),
    entries: countOf(entries.filter(({ pageId }) => pageId === page_id)),
  }))

/** Returns the numbers of a split, with a warning where they do not fit. Entries belong to the pages that were shown. */
export const splitNumbers = (
  { variants, ...split }: ShownSplit,
  { weighed, shown }: Placements,
  nameOf: (pageId: number) => string,
): JsonObject => {
  const of = (variant: 0 | 1 | undefined) => shown.filter((one) => variantOf(one, variants) === variant)
  const entries_fit = entriesFit(weighed)
  const isUnchanged = shown.every((one) => variantOf(one, variants) === one.branch)
  const arrivals_fit = isUnchanged ? arrivalsFit(weighed, [variants[0].arrivals, variants[1].arrivals]) : null
  return {
    ...split,
    variants: variants.map(({ stepIds, ...variant }, index) => ({
      ...variant,
      entries: countOf(of(index === 1 ? 1 : 0)),
    })),
    former_pages: formerPages(of(undefined), nameOf),
    entries_fit,
    arrivals_fit,
    warnings: [
      ...(entries_fit === false ? [ENTRIES_WARNING] : []),
      ...(arrivals_fit === false ? [ARRIVALS_WARNING] : []),
    ],
  }
}
