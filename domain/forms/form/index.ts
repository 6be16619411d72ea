import { Type } from 'typebox'
import { list as listOf, reference } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { crud } from '../../resources/crud.ts'
import type { Shown } from '../../resources/operation.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { asks } from '../../resources/writes.ts'
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

/** The fields of a set in their order. The contract declares texts, and its example shows integers, as clients know ids elsewhere. */
const inOrder: Shown = {
  schema: Type.Object({ ordered_field_ids: Type.Array(Type.Integer()) }),
  async of({ id }, load) {
    const fields = (await load.where(field.name, 'field_set_id', id)).map(recordOf(field))
    return {
      ordered_field_ids: fields
        .sort((one, other) => Number(one.sort_order) - Number(other.sort_order))
        .map((one) => one.id),
    }
  },
}

/** Forms::FieldSet. */
export const fieldSetResource = serve(fieldSet, forms, {
  title: 'Forms::FieldSet',
  root: 'forms_field_set',
  category: 'forms',
  under: { param: 'form_id', resource: 'form', field: 'form_id' },
  operations: {
    ...crud('FormsFieldSets', SETS, '/forms/field_sets/{id}'),
    reorderFormsFields: asks(`${FIELDS}/reorder`, 'reorder', {
      consequence: null,
      summary: 'Brings the fields of a set into an order',
      names: 'field_set_id',
      body: {
        root: null,
        fields: { ids_in_order: listOf(reference('forms/field'), { required: true, about: 'Each field once' }) },
        mode: 'create',
      },
      shows: inOrder,
    }),
  },
})

/** Forms::Field. */
export const fieldResource = serve(field, forms, {
  title: 'Forms::Field',
  root: 'forms_field',
  category: 'forms',
  under: { param: 'field_set_id', resource: 'forms/field_set', field: 'field_set_id' },
  indexes: [{ fields: ['form_id', 'key'] }],
  operations: crud('FormsFields', FIELDS, '/forms/fields/{id}', ordered),
})

/** Forms::Fields::Option. */
export const optionResource = serve(option, forms, {
  title: 'Forms::Fields::Option',
  root: 'forms_fields_option',
  category: 'forms',
  under: { param: 'field_id', resource: 'forms/field', field: 'field_id' },
  operations: crud('FormsFieldsOptions', OPTIONS, '/forms/fields/options/{id}', ordered),
})
