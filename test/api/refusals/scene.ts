import { type Tenant, testService } from '../../support/service.ts'
import { builder, createdBody } from '../../support/traffic/funnels.ts'

/** Creates the records that the rows refer to: a funnel of three steps, pages inside and outside it, a split of either kind, and a filter. */
export const scene = async (tenant: Tenant) => {
  const build = builder(tenant)
  const funnel = await build.funnel('Texts')
  const on = { funnel: { funnel_id: funnel.id } }
  const [one, two, far] = [
    await build.page({ name: 'One', ...on }),
    await build.page({ name: 'Two', ...on }),
    await build.external(on),
  ]
  const [free, freeFar] = [await build.page({ name: 'Free' }), await build.external()]
  const other = await build.funnel('Other')
  const wrapped = await build.page({ name: 'Wrapped', funnel: { funnel_id: other.id } })
  const test = await build.test(other.id, { variants: [{ page_id: wrapped.id }] })
  const conditional = await build.conditional(other.id)
  const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }]
  const filters = `/workspaces/${tenant.workspaceId}/refine_filters`
  const filter = createdBody(await tenant.api.post(filters, { refine_filter: { name: 'Taken', criteria } }))
  const foreign = await (await testService()).tenant()
  return {
    ws: `/workspaces/${tenant.workspaceId}`,
    funnel,
    one,
    two,
    far,
    free,
    freeFar,
    other,
    test,
    conditional,
    filter,
    foreign: foreign.workspaceId,
  }
}
export type Scene = Awaited<ReturnType<typeof scene>>
