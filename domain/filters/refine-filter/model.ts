import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { type Criterion, sealedSince } from '../criteria/criterion.ts'

/** The only class of filters that is authored here. */
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

/** A stored filter: which contacts are meant, for whoever refers to it. */
export const refineFilter = model('refine_filter', {
  attributes: {
    name: text({ nullable: true, about: 'Unique within the workspace' }),
    filter_class: managed(text({ default: CONTACTS })),
    conjunction: managed(choice(['and', 'or'], { default: 'and', about: 'and: all match; or: any matches' })),
    criteria: managed(data<readonly Criterion[], { default: [] }>(criteriaSchema, { default: [] })),
    /** Came with one request, and is only of use to what that request asked for. */
    one_off: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    FilterSaved: { creates: true, versions: [sealedSince] },
    FilterRenamed: { sets: ['name'] },
    FilterCriteriaReplaced: { sets: ['criteria'], versions: [sealedSince] },
    FilterRemoved: { ends: true },
  },
  // Lists ask for what is no one-off, which older documents do not say of themselves.
  version: 2,
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
})
