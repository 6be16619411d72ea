import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/event.ts'
import type { View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { dateTime, nullableString } from '../../kinds/schemas.ts'
import { type Criterion, type FilterState, presentCriterion } from '../criteria/criterion.ts'

export const criterionSchema = Type.Object({
  attribute: Type.String(),
  clause: Type.String(),
  value: Type.Optional(
    Type.Union([
      Type.String(),
      Type.Array(Type.String()),
      Type.Object({ days: Type.String(), modifier: Type.Enum(['ago', 'from_now']) }),
    ]),
  ),
})

export const conjunctionSchema = Type.Enum(['and', 'or'], { description: 'and: all match; or: any matches' })

export const refineFilterSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  name: nullableString,
  filter_class: nullableString,
  conjunction: conjunctionSchema,
  criteria: Type.Array(criterionSchema),
  created_at: dateTime,
  updated_at: dateTime,
})

/** The conditions of a filter's document. */
export const stateOf = (document: JsonObject): FilterState => ({
  conjunction: document.conjunction === 'or' ? 'or' : 'and',
  criteria: (document.criteria ?? []) as readonly Criterion[],
})

const pick = picker(Object.keys(refineFilterSchema.properties))

export const refineFilterView: View = {
  schema: refineFilterSchema,
  present: (document) => ({ ...pick(document), criteria: stateOf(document).criteria.map(presentCriterion) }),
}
