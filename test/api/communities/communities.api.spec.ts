import { expect } from 'chai'
import { communitiesOf } from '../../support/communities.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('communities over REST', () => {
  let service: TestService
  let tenant: Tenant
  let make: ReturnType<typeof communitiesOf>
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    make = communitiesOf(tenant)
  })

  it('begin live and open, with a path of their own', async () => {
    const first = await make.community()
    expect(first).to.include({
      name: 'Potters',
      status: 'live',
      private: false,
      current_path: '/potters',
      notifications: 'all',
      seo_indexable: true,
    })
    const { body: site } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/site`)
    expect(first.site_id).to.equal(site.id)
    expect((await make.community()).current_path).to.match(/^\/potters-\w+$/)
  })

  it('take access as a number, and show it as a word', async () => {
    const { id } = await make.community()
    const group = await make.group(id, { access: 2, group_type: 1 })
    expect([group.access, group.group_type]).to.deep.equal(['is_secret', 'course'])
    const space = await make.space(group.id, { access: '1' })
    expect(space.access).to.equal('is_private')
    const { body } = await tenant.api.put(`/communities/spaces/${space.id}`, { communities_space: { access: 0 } })
    expect(body.access).to.equal('is_open')
    const refused = await tenant.api.put(`/communities/spaces/${space.id}`, { communities_space: { access: 3 } })
    expect([refused.status, refused.body.details[0].field]).to.deep.equal([422, 'communities_space.access'])
  })

  it('have groups and spaces in an order, each with a path of its own', async () => {
    const { id } = await make.community()
    const [a, b] = [await make.group(id), await make.group(id)]
    expect([a, b].map((one) => [one.sort_order, one.current_path])).to.deep.equal([
      [0, '/kilns'],
      [1, '/kilns-2'],
    ])
    const spaces = [await make.space(b.id), await make.space(b.id, { current_path: 'raku' })]
    expect(spaces.map((one) => [one.sort_order, one.current_path, one.space_group_id])).to.deep.equal([
      [0, '/glazes', b.id],
      [1, '/raku', b.id],
    ])
    const taken = await tenant.api.put(`/communities/space_groups/${a.id}`, {
      communities_space_group: { current_path: '/raku' },
    })
    expect([taken.status, taken.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Current path has already been taken',
    ])
    await tenant.api.put(`/communities/space_groups/${a.id}`, { communities_space_group: { sort_order: 5 } })
    const { body: sorted } = await tenant.api.get(`/communities/${id}/space_groups?sort_property=sort_order`)
    expect(sorted.map((one: { id: number }) => one.id)).to.deep.equal([b.id, a.id])
  })

  it('15 84: a path that was given up stays claimed by what had it, which can have it again', async () => {
    const { id } = await make.community()
    const rename = (current_path: string, of = id) =>
      tenant.api.put(`/communities/${of}`, { community: { current_path } })
    for (const path of ['/clay', '/mud']) expect((await rename(path)).body.current_path).to.equal(path)
    const other = await make.community({ name: 'Clay' })
    expect(other.current_path).to.match(/^\/clay-\w{6}$/)
    const refused = await rename('/potters', other.id)
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Current path has already been taken',
    ])
    expect((await rename('/potters')).body)
      .to.include({ current_path: '/potters' })
      .and.not.to.have.property('former_paths')
    const group = await make.group(id)
    const { body } = await tenant.api.put(`/communities/space_groups/${group.id}`, {
      communities_space_group: { current_path: '/ovens' },
    })
    expect(body.current_path).to.equal('/ovens')
    expect((await make.group(id)).current_path).to.equal('/kilns-2')
    const space = await make.space(group.id)
    const taken = await tenant.api.put(`/communities/spaces/${space.id}`, {
      communities_space: { current_path: 'kilns' },
    })
    expect(taken.status).to.equal(422)
  })

  it('15 68: addresses that members are led to are http or https', async () => {
    const refused = await tenant.api.post(`/workspaces/${tenant.workspaceId}/communities`, {
      community: { name: 'Potters', upgrade_url: 'javascript:alert(1)' },
    })
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Upgrade url must be an http or https address',
    ])
  })

  it('15 48: a group that is deleted takes its spaces along at once', async () => {
    const { id } = await make.community()
    const group = await make.group(id)
    const space = await make.space(group.id)
    expect((await tenant.api.delete(`/communities/space_groups/${group.id}`)).status).to.equal(204)
    for (const path of [
      `/communities/spaces/${space.id}`,
      `/communities/space_groups/${group.id}`,
      `/communities/space_groups/${group.id}/spaces`,
    ])
      expect((await tenant.api.get(path)).status, path).to.equal(404)
  })
})
