import { formSubmissions } from '../../../domain/forms/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { page } from './funnels.ts'
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

interface Submitted {
  readonly id: number
  readonly fieldId: number
}

const makeSubmitted = async (tenant: Tenant): Promise<Submitted> => {
  const fieldId = await field.make(tenant)
  const { field_set_id } = (await tenant.api.get(`/forms/fields/${fieldId}`)).body
  const { form_id } = (await tenant.api.get(`/forms/field_sets/${field_set_id}`)).body
  const sent = { forms_submission: { contact_id: null } }
  return { fieldId, id: idOf(await tenant.api.post(`/forms/${form_id}/submissions`, sent)) }
}

const submitted = new WeakMap<Tenant, Promise<Submitted>>()
/** Submission below which all answers are made, and a field of its form: no other field can be answered there. */
const submittedOf = (tenant: Tenant): Promise<Submitted> => {
  const made = submitted.get(tenant) ?? makeSubmitted(tenant)
  submitted.set(tenant, made)
  return made
}
const answer = {
  ...creatable(
    async (tenant) => ({ field_id: (await submittedOf(tenant)).fieldId, entry: 'Rather large' }),
    async (tenant) => `/forms/submissions/${(await submittedOf(tenant)).id}/answers`,
    'forms_submissions_answer',
  ),
  owner: async (tenant: Tenant) => (await submittedOf(tenant)).id,
}

/** Fields of a submission from a page. */
export const sentFromPage = (
  page_id: number | null,
  contact_id: number | null,
  data: Readonly<Record<string, string>>,
) => ({
  page_id,
  contact_id,
  data,
  nonce: unique('nonce'),
  next: { page_id: null, url: 'https://example.com/thanks' },
})

/** Makes a submission as the page of a funnel does. It has no request of its own in the API. */
const makeFormSubmission = async (tenant: Tenant): Promise<number> => {
  if (!tenant.carryOut) throw new Error('submissions of pages are made within the process of the service')
  const [pageId, contactId] = [await page.make(tenant), await contact.make(tenant)]
  return tenant.carryOut(ask(formSubmissions, 'new', 'create', sentFromPage(pageId, contactId, { color: 'red' })))
}

/** Makers of forms with everything in them. */
export const formMakers: Readonly<Record<string, RecordMaker>> = {
  form,
  'forms/field_set': { ...fieldSet, by: { reorderFormsFields: async () => ({ ids_in_order: [] }) } },
  'forms/field': field,
  'forms/fields/option': option,
  'forms/submission': creatable(
    async (tenant) => ({ contact_id: await contact.make(tenant) }),
    async (tenant) => `/forms/${await form.make(tenant)}/submissions`,
    'forms_submission',
  ),
  'forms/submissions/answer': answer,
  form_submission: { make: makeFormSubmission },
}
