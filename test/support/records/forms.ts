import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { creatable, idOf, inWorkspace, type RecordMaker, unique } from './making.ts'

const form = creatable(async () => ({ name: unique('Form') }), inWorkspace('/forms'), 'form')
const fieldSet = creatable(
  async () => ({ title: unique('About you') }),
  async (tenant) => `/forms/${await form.make(tenant)}/field_sets`,
  'forms_field_set',
)
const field = creatable(
  async () => ({ label: 'Size', key: unique('size'), field_type: 'select', allow_multiple: true }),
  async (tenant) => `/forms/field_sets/${await fieldSet.make(tenant)}/fields`,
  'forms_field',
)
const option = creatable(
  async () => ({ label: unique('Large') }),
  async (tenant) => `/forms/fields/${await field.make(tenant)}/options`,
  'forms_fields_option',
)

/** Makes a submission, with a field of its form. */
const submitted = async (tenant: Tenant) => {
  const fieldId = await field.make(tenant)
  const { field_set_id } = (await tenant.api.get(`/forms/fields/${fieldId}`)).body
  const { form_id } = (await tenant.api.get(`/forms/field_sets/${field_set_id}`)).body
  return {
    fieldId,
    id: idOf(await tenant.api.post(`/forms/${form_id}/submissions`, { forms_submission: { contact_id: null } })),
  }
}
const answered = async (tenant: Tenant) => {
  const { fieldId, id } = await submitted(tenant)
  const fields = { field_id: fieldId, entry: 'Rather large' }
  return idOf(await tenant.api.post(`/forms/submissions/${id}/answers`, { forms_submissions_answer: fields }))
}

/** Makers of forms with everything in them. */
export const formMakers: Readonly<Record<string, RecordMaker>> = {
  form,
  'forms/field_set': fieldSet,
  'forms/field': { ...field, by: { reorderFormsFields: async () => ({ ids_in_order: [] }) } },
  'forms/fields/option': option,
  'forms/submission': creatable(
    async (tenant) => ({ contact_id: await contact.make(tenant) }),
    async (tenant) => `/forms/${await form.make(tenant)}/submissions`,
    'forms_submission',
  ),
  'forms/submissions/answer': { make: answered },
}
