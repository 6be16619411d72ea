import { askHost } from '../hosts.ts'
import { domainMaker } from '../records/domain.ts'
import type { Tenant, TestService } from '../service.ts'
import { builder, createdBody } from './funnels.ts'

/** A funnel of two hosted pages, split at its entry, with its host. */
export const splitFunnel = async (tenant: Tenant, weights: readonly [number, number] = [50, 50]) => {
  const build = builder(tenant)
  const funnel = await build.funnel()
  const first = await build.page({ name: 'First', current_path: '/first', funnel: { funnel_id: funnel.id } })
  const second = await build.page({ name: 'Second', current_path: '/second' })
  const variants = [
    { page_id: first.id, weight: weights[0] },
    { page_id: second.id, weight: weights[1] },
  ]
  const split = await build.test(funnel.id, { variants })
  const [domain] = createdBody(await tenant.api.get(`/workspaces/${tenant.workspaceId}/domains`))
  return { funnel, first, second, split, host: String(domain.name) }
}

/** A domain that is connected, chosen as the main one, and given up. */
export const domainTraffic = async (tenant: Tenant): Promise<void> => {
  const id = await domainMaker.make(tenant)
  createdBody(await tenant.api.post(`/domains/${id}/verify`))
  createdBody(await tenant.api.put(`/workspaces/${tenant.workspaceId}/site`, { site: { main_domain_id: id } }))
  await tenant.api.delete(`/domains/${id}`)
}

/** Visitors at the entry of a split funnel. */
export const entryTraffic = async (tenant: Tenant, { publicUrl }: TestService): Promise<void> => {
  const { funnel, host } = await splitFunnel(tenant)
  await askHost(publicUrl, host, funnel.current_path)
}
