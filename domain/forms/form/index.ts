import { Type } from 'typebox'
import { ask, within } from '../../kernel/decide/ask.ts'
import { list as listOf, reference } from '../../kernel/model/fields.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { crud } from '../../resources/crud.ts'
import type { ActionInput } from '../../resources/operation.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { field, fieldSet, form, option } from './model.ts'
import { forms } from './rules.ts'

const SETS = '/forms/{form_id}/field_sets'
const FIELDS = '/forms/field_sets/{field_set_id}/fields'
const OPTIONS = '/forms/fields/{field_id}/options'
const ordered = { list: { sorts: ['id', 'updated_at', 'sort_order'] } }

/** Form. */
export const formResource = serve(form, forms, {
  title: 'Form',
  root: 'form',
  category: 'forms',
  under: workspace,
  operations: crud('Forms', '/workspaces/{workspace_id}/forms', '/forms/{id}'),
})

/** Forms::FieldSet. */
export const fieldSetResource = serve(fieldSet, forms, {
  title: 'Forms::FieldSet',
  root: 'forms_field_set',
  category: 'forms',
  under: { param: 'form_id', resource: 'form', field: 'form_id' },
  operations: crud('FormsFieldSets', SETS, '/forms/field_sets/{id}'),
})

/** Brings the fields of the set in the path into the order of a body without a root. */
const reorder = async ({ owner, fields, transact }: ActionInput) => {
  const ids = fields.ids_in_order as readonly number[]
  const sets = within(forms, Number(owner?.form_id), fieldSet)
  const refused = await transact(ask(sets, Number(owner?.id), 'reorder', { ids_in_order: ids }))
  return refused instanceof Refusal ? refused : { ordered_field_ids: ids }
}

/** Forms::Field. */
export const fieldResource = serve(field, forms, {
  title: 'Forms::Field',
  root: 'forms_field',
  category: 'forms',
  under: { param: 'field_set_id', resource: 'forms/field_set', field: 'field_set_id' },
  indexes: [{ fields: ['form_id', 'key'] }],
  operations: {
    ...crud('FormsFields', FIELDS, '/forms/fields/{id}', ordered),
    reorderFormsFields: {
      consequence: null,
      kind: 'call',
      method: 'POST',
      path: `${FIELDS}/reorder`,
      summary: 'Brings the fields of a set into an order',
      body: {
        root: null,
        fields: { ids_in_order: listOf(reference('forms/field'), { required: true, about: 'Each field once' }) },
        mode: 'create',
      },
      // The contract declares texts, and its example shows integers, as clients know ids elsewhere.
      schema: Type.Object({ ordered_field_ids: Type.Array(Type.Integer()) }),
      answers: 200,
      call: reorder,
    },
  },
})

/** Forms::Fields::Option. */
export const optionResource = serve(option, forms, {
  title: 'Forms::Fields::Option',
  root: 'forms_fields_option',
  category: 'forms',
  under: { param: 'field_id', resource: 'forms/field', field: 'field_id' },
  operations: crud('FormsFieldsOptions', OPTIONS, '/forms/fields/options/{id}', ordered),
})
