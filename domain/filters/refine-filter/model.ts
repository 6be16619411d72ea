import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { nameKey, UNIQUE_NAME } from '../../resources/attributes/unique-name.ts'
import { type Criterion, upcastToSealed } from '../criteria/criterion.ts'

/** The only class of filters that can be created here. */
export const CONTACTS = 'ContactsFilter'

export const criteriaSchema = Type.Array(
  Type.Object({
    attribute: Type.String(),
    clause: Type.String(),
    value: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(Type.String()),
        Type.Object({ days: Type.String(), modifier: Type.Enum(['ago', 'from_now']) }),
      ]),
    ),
  }),
)

/** Stored contact filter that other records refer to. */
export const refineFilter = model('refine_filter', {
  attributes: {
    name: text({ nullable: true, about: 'Unique within the workspace' }),
    filter_class: managed(text({ default: CONTACTS })),
    conjunction: managed(choice(['and', 'or'], { default: 'and', about: 'and: all match; or: any matches' })),
    criteria: managed(data<readonly Criterion[], { default: [] }>(criteriaSchema, { default: [] })),
    /** Whether the filter came with one request and serves only what that request started. */
    one_off: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    FilterSaved: { creates: true, versions: [upcastToSealed] },
    FilterRenamed: { sets: ['name'] },
    FilterCriteriaReplaced: { sets: ['criteria'], versions: [upcastToSealed] },
    FilterRemoved: { ends: true },
  },
  // Lists select by `one_off`, which documents of version 1 lack.
  version: 2,
  unique: [UNIQUE_NAME],
  derives: { version: 1, of: nameKey },
})
