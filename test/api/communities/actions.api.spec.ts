import { expect } from 'chai'
import { communitiesOf } from '../../support/communities.ts'
import { until } from '../../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('bulk actions of communities over REST', () => {
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

  /** A community with a space, and a member for each name. */
  const begun = async (...names: readonly string[]) => {
    const { id } = await make.community()
    const space = await make.space((await make.group(id)).id)
    const members = []
    for (const name of names) members.push((await make.join(id, (await make.contact(name)).id)).body)
    return { id: Number(id), space, members }
  }
  const start = (id: number, of: 'memberships' | 'bans', kind: string, fields: object) =>
    tenant.api.post(`/communities/${id}/${of}/${kind}_actions`, { [`communities_${of}_${kind}_action`]: fields })
  const done = async (id: number, of: 'memberships' | 'bans', kind: string, fields: object) => {
    const asked = await start(id, of, kind, fields)
    expect([asked.status, asked.body.error]).to.deep.equal([201, undefined])
    expect(asked.body).to.deep.include({ performed_count: 0, failed_ids: [], started_at: null, completed_at: null })
    let { body } = asked
    await until(async () => {
      body = (await tenant.api.get(`/communities/${of}/${kind}_actions/${asked.body.id}`)).body
      return body.completed_at
    })
    return body
  }
  const spacesOf = async (one: { readonly id: number }) =>
    (await tenant.api.get(`/communities/memberships/${one.id}`)).body.space_ids

  it('bring members into spaces, and take them out of them', async () => {
    const { id, space, members } = await begun('ada', 'grace')
    const [ada, grace] = members
    const added = await done(id, 'memberships', 'add_to_group', { target_all: true, space_ids: [space.public_id] })
    expect(added).to.deep.include({ target_count: 2, performed_count: 2, space_ids: [space.id], community_id: id })
    expect([await spacesOf(ada), await spacesOf(grace)]).to.deep.equal([[space.id], [space.id]])
    await done(id, 'memberships', 'remove_from_group', { target_ids: [ada.public_id], space_ids: [space.public_id] })
    expect([await spacesOf(ada), await spacesOf(grace)]).to.deep.equal([[], [space.id]])
  })

  it('need a space of the community, and exactly one of target_all and target_ids', async () => {
    const { id, space, members } = await begun('ada')
    const other = await begun()
    const ids = [members[0].public_id]
    const errors = []
    for (const fields of [
      { target_all: true },
      { target_all: true, space_ids: [other.space.id] },
      { space_ids: [space.id] },
      { target_all: true, target_ids: ids, space_ids: [space.id] },
    ])
      errors.push((await start(id, 'memberships', 'add_to_group', fields)).body.error)
    expect(errors).to.deep.equal([
      'Request unprocessable: Please select at least one topic.',
      'Request unprocessable: Space ids must be of the community',
      'Request unprocessable: provide a selection: target_ids or target_all',
      'Request unprocessable: provide only one selection: target_ids or target_all',
    ])
  })

  it('reach only members of their own community', async () => {
    const { id, space } = await begun('ada')
    const other = await begun('grace')
    await done(id, 'memberships', 'add_to_group', {
      target_ids: [other.members[0].public_id],
      space_ids: [space.public_id],
    })
    expect(await spacesOf(other.members[0])).to.deep.equal([])
  })

  it('ban members with a reason in the name of who asked, and end bans', async () => {
    const { id, members } = await begun('ada', 'grace', 'edith')
    const [ada] = members
    const reason = 'x'.repeat(1024)
    const single = await make.ban(id, (await make.contact('mary')).id)
    await done(id, 'memberships', 'ban', { target_ids: [ada.public_id, members[1].public_id], reason })
    expect((await tenant.api.get(`/communities/memberships/${ada.id}`)).status).to.equal(404)
    const { body: bans } = await tenant.api.get(`/communities/${id}/bans`)
    const { banned_by_id } = single.body
    expect(bans.slice(1).map((one: object) => ({ ...one }))).to.have.length(2)
    for (const one of bans.slice(1)) expect(one).to.deep.include({ reason, banned_by_id })
    await done(id, 'bans', 'unban', { target_all: true })
    expect((await tenant.api.get(`/communities/${id}/bans`)).body).to.deep.equal([])
    expect((await tenant.api.get(`/communities/memberships/${ada.id}`)).status).to.equal(200)
    const long = await start(id, 'memberships', 'ban', { target_all: true, reason: `${reason}x` })
    expect([long.status, long.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Reason is too long (maximum is 1024 characters)',
    ])
  })

  it('a ban of all leaves out who asks and who moderates, who are banned by name alone', async () => {
    const { id, members } = await begun('ada', 'grace')
    const { body: team } = await tenant.api.get('/me')
    const own = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
      contact: { email_address: team.email },
    })
    const asker = (await make.join(id, own.body.id)).body
    const moderator = (await make.join(id, (await make.contact('edith')).id, { moderator: true })).body
    const action = await done(id, 'memberships', 'ban', { target_all: true })
    expect(action.failed_ids).to.deep.equal([asker.id])
    const left = (await tenant.api.get(`/communities/${id}/memberships`)).body
    expect(left.map((one: { id: number }) => one.id)).to.deep.equal([asker.id, moderator.id])
    expect(members).to.have.length(2)
    await done(id, 'memberships', 'ban', { target_ids: [asker.public_id, moderator.public_id] })
    expect((await tenant.api.get(`/communities/${id}/memberships`)).body).to.deep.equal([])
  })

  const textOf = async ({ file_url }: { readonly file_url: string }) => (await fetch(file_url)).text()

  it('write members and bans to files', async () => {
    const { id, members } = await begun('ada', 'grace')
    const members_ = await done(id, 'memberships', 'export', { target_all: true, fields: ['id', 'email', 'moderator'] })
    expect(await textOf(members_)).to.equal(
      `Id,Email,Moderator\r\n${members[0].id},ada@example.com,false\r\n${members[1].id},grace@example.com,false\r\n`,
    )
    await make.ban(id, members[1].contact.id, { reason: 'Throws clay' })
    const bans = await done(id, 'bans', 'export', { target_all: true, fields: ['contact_email', 'reason'] })
    expect(await textOf(bans)).to.equal('Contact email,Reason\r\ngrace@example.com,Throws clay\r\n')
    const { body: listed } = await tenant.api.get(`/communities/${id}/memberships/export_actions`)
    expect(listed.map((one: { id: number }) => one.id)).to.deep.equal([members_.id])
  })

  it('leave contacts that are deleted out of files', async () => {
    const { id, members } = await begun('ada', 'grace')
    await tenant.api.delete(`/contacts/${members[0].contact.id}`)
    const action = await done(id, 'memberships', 'export', { target_all: true, fields: ['email'] })
    expect(await textOf(action)).to.equal('Email\r\ngrace@example.com\r\n')
    expect([action.failed_count, action.failed_ids]).to.deep.equal([1, [members[0].id]])
  })

  it('refuse columns that there are not', async () => {
    const { id } = await begun()
    const refused = await start(id, 'bans', 'export', { target_all: true, fields: ['reason', 'shoe', 'hat'] })
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Fields contains invalid field names: shoe, hat',
    ])
  })

  it('answer target_all and target_ids as the contract types them, whichever was sent', async () => {
    const { id, members } = await begun('Ada')
    const target = Number(members[0]!.id)
    const ask = async (fields: object) => (await start(id, 'memberships', 'export', fields)).body
    const [all, some] = [await ask({ target_all: true }), await ask({ target_ids: [target] })]
    for (const [action, shown] of [
      [all, { target_all: true, target_ids: [], failed_ids: [] }],
      [some, { target_all: false, target_ids: [target], failed_ids: [] }],
    ] as const)
      expect(action).to.deep.include(shown)
  })
})
