import { expect } from 'chai'
import { lookupsOf } from '../../support/lookups.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { builder, pageSteps } from '../../support/traffic/funnels.ts'

describe('the structure of a funnel', () => {
  let service: TestService
  let tenant: Tenant
  let build: ReturnType<typeof builder>
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    build = builder(tenant)
  })

  const funnelWith = async (splits: number): Promise<number> => {
    const { id } = await build.funnel()
    let anchor = (await build.page({ funnel: { funnel_id: id } })).show_page_step.id
    for (let depth = 0; depth < splits; depth++) {
      const branches = [{ page_id: (await build.page()).id }, { page_id: (await build.external()).id }]
      const split = await build.conditional(id, { show_page_step_id: anchor, branches })
      anchor = split.branches[depth % 2].show_page_step.id
    }
    return id
  }

  it('needs one query for the funnel and one for all of its pages, for any number of pages', async () => {
    const [small, large] = [await funnelWith(1), await funnelWith(12)]
    expect(pageSteps(await build.steps(large))).to.have.length(25)
    const costs = []
    for (const id of [small, large])
      costs.push(await lookupsOf(service, () => tenant.api.get(`/funnels/${id}/structure`)))
    expect(costs[1], 'the same for few and for many').to.deep.equal(costs[0])
    const ofTree = costs[0]!.filter((lookup) => /funnel|page/.test(lookup))
    expect(ofTree).to.deep.equal(['get funnel', 'getMany page'])
  })

  it('needs a fixed number of queries for a page of the list of pages as well', async () => {
    const list = (query: string) =>
      lookupsOf(service, () => tenant.api.get(`/workspaces/${tenant.workspaceId}/pages?${query}`))
    const first = (await tenant.api.get(`/workspaces/${tenant.workspaceId}/pages`)).body[0].id
    const [one, many] = [await list(`filter[id]=${first}`), await list('')]
    const ofPages = (lookups: readonly string[]) =>
      lookups.filter((lookup) => /^(?!findIds ).*(funnel|page)/.test(lookup))
    expect(ofPages(many).length).to.equal(ofPages(one).length)
  })
})
