import { Type } from 'typebox'
import type { JsonObject } from '../kernel/values/event.ts'
import { nullable } from '../resources/schemas.ts'
import { arrivalsFit, entriesFit } from './fit.ts'
import type { WeighedEntries } from './placements.ts'

const fits = (description: string) => nullable(Type.Boolean({ description }))

export const splitSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the step in the structure of the funnel' }),
  step_type: Type.Enum(['split_test_step', 'conditional_split_step']),
  variants: Type.Array(
    Type.Object({
      page_ids: Type.Array(Type.Integer(), { description: 'Pages that its visitors may come to first' }),
      name: Type.String({ description: 'Names of these pages' }),
      weight: nullable(Type.Integer({ description: 'Present weight; null for a conditional split' })),
      entries: Type.Integer({ description: 'Visitors for whom it was chosen, counted at that moment' }),
      arrivals: Type.Integer({ description: 'Sessions that these pages reported' }),
    }),
  ),
  entries_fit: fits(
    'Whether the entries fit the weights of their moments (χ², p ≥ 0.001); null for less than 100, and for a conditional split',
  ),
  arrivals_fit: fits(
    'Whether the arrivals divide as the entries do; null for less than 100 entries, and where weights changed in the range',
  ),
  warnings: Type.Array(Type.String()),
})

/** Variant or branch of a split as statistics show it. */
export interface ShownVariant {
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

/** Returns the numbers of a split, with a warning where they do not fit. */
export const splitNumbers = ({ variants, ...split }: ShownSplit, entries: readonly WeighedEntries[]): JsonObject => {
  const total = (branch: 0 | 1) => entries.reduce((sum, { counts }) => sum + counts[branch], 0)
  const entries_fit = entriesFit(entries)
  const arrivals_fit = arrivalsFit(entries, [variants[0].arrivals, variants[1].arrivals])
  return {
    ...split,
    variants: variants.map((variant, branch) => ({ ...variant, entries: total(branch === 1 ? 1 : 0) })),
    entries_fit,
    arrivals_fit,
    warnings: [
      ...(entries_fit === false ? [ENTRIES_WARNING] : []),
      ...(arrivals_fit === false ? [ARRIVALS_WARNING] : []),
    ],
  }
}
