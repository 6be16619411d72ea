import { recordMakers } from '../records.ts'
import type { Tenant } from '../service.ts'

/** Brings the fields of a set into another order, and gives a submission its contact after it was answered. */
export const formTraffic = async (tenant: Tenant): Promise<void> => {
  const set = await recordMakers['forms/field_set']!.make(tenant)
  const path = `/forms/field_sets/${set}/fields`
  const ids: number[] = []
  for (const key of ['size', 'colour'])
    ids.push((await tenant.api.post(path, { forms_field: { label: key, key } })).body.id)
  await tenant.api.post(`${path}/reorder`, { ids_in_order: ids.reverse() })
  const answer = await recordMakers['forms/submissions/answer']!.make(tenant)
  const { submission_id } = (await tenant.api.get(`/forms/submissions/answers/${answer}`)).body
  const contact_id = await recordMakers.contact!.make(tenant)
  await tenant.api.put(`/forms/submissions/${submission_id}`, { forms_submission: { contact_id } })
}
