import type { Tenant } from '../service.ts'
import { creatable, idOf, inWorkspace, type RecordMaker, unique } from './making.ts'

export const page = {
  ...creatable(async () => ({ name: unique('Page'), description: 'A page' }), inWorkspace('/pages'), 'page'),
  by: { setPageOptIn: async () => ({ double: true }) },
}
export const funnel = {
  ...creatable(async () => ({ name: unique('Funnel'), live_mode: false }), inWorkspace('/funnels'), 'funnel'),
  by: { setFunnelCheckout: async () => ({ enabled: true, offer_minutes: 10 }) },
}

/** One funnel of each tenant, with a page on which tests can be started repeatedly. */
const trial = new WeakMap<Tenant, Promise<{ readonly funnel: number; readonly page: number }>>()
export const testFunnelOf = (tenant: Tenant) => {
  const known = trial.get(tenant)
  if (known) return known
  const made = funnel.make(tenant).then(async (id) => {
    const placed = { page: { name: unique('Page'), funnel: { funnel_id: id } } }
    return { funnel: id, page: idOf(await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, placed)) }
  })
  trial.set(tenant, made)
  return made
}

export const split = (
  kind: string,
  root: string,
  fields: RecordMaker['fields'] & {},
  by: RecordMaker['by'] & {},
): RecordMaker => {
  const owner = async (tenant: Tenant) => (await testFunnelOf(tenant)).funnel
  const make = async (tenant: Tenant) =>
    idOf(await tenant.api.post(`/funnels/${await owner(tenant)}/${kind}`, { [root]: await fields(tenant) }))
  return { fields, by, owner, make }
}
