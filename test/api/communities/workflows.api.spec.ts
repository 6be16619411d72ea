import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { communitiesOf } from '../../support/communities.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { workflowOf } from '../workflows/making.ts'
import { addTags, type Enrolling, enrolling } from '../workflows/runs/enrolled.ts'

describe('workflows and communities', () => {
  let tenant: Tenant
  let on: Enrolling
  let make: ReturnType<typeof communitiesOf>
  let start: number
  let contact: number
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    on = enrolling(tenant)
    make = communitiesOf(tenant)
  })
  beforeEach(async () => {
    start = await on.make('contacts/tag')
    contact = await on.make('contact')
  })

  const begun = async () => {
    const { id } = await make.community()
    const group = await make.group(id)
    const space = await make.space(group.id)
    return { id: Number(id), group: Number(group.id), space: Number(space.id) }
  }
  const membersOf = async (id: number) => ok(await tenant.api.get(`/communities/${id}/memberships`))
  const spacesIn = async (id: number) =>
    (await membersOf(id)).map((one: { contact: { id: number }; space_ids: number[] }) => [
      one.contact.id,
      one.space_ids,
    ])

  it('steps bring a contact into spaces, also one that is a member already, and take it out of them', async () => {
    const { id, space, group } = await begun()
    const other = Number((await make.space(group)).id)
    const workflow = await on.startedBy(
      start,
      { grant_community_access_step: { space_ids: [space] } },
      { grant_community_access_step: { space_ids: [other] } },
    )
    await on.applyTag(contact, start)
    await on.runIn(workflow, 'completed')
    expect(await spacesIn(id)).to.deep.equal([[contact, [space, other]]])
    const second = await on.make('contacts/tag')
    const taking = await on.startedBy(second, { revoke_community_access_step: { space_ids: [space] } })
    await on.applyTag(contact, second)
    await on.runIn(taking, 'completed')
    expect(await spacesIn(id)).to.deep.equal([[contact, [other]]])
  })

  it('15 39: a step gives no access to who is banned: it is passed with the reason', async () => {
    const { id, space } = await begun()
    await make.ban(id, contact)
    const workflow = await on.startedBy(start, { grant_community_access_step: { space_ids: [space] } })
    await on.applyTag(contact, start)
    const run = await on.runIn(workflow, 'completed')
    const { steps } = await on.trace(run)
    expect(steps[0].outcome).to.equal('failed')
    expect(steps[0].reason).to.match(/banned/)
    expect(await membersOf(id)).to.deep.equal([])
  })

  for (const [key, condition] of [
    ['$community.join', 'community_id'],
    ['$community.group_join', 'communities_space_group_id'],
    ['$community.topic_join', 'communities_space_id'],
    ['$community.ban', 'community_id'],
  ] as const)
    it(`${key} starts the workflows that wait for it`, async () => {
      const wanted = await begun()
      const elsewhere = await begun()
      const ids = {
        community_id: wanted.id,
        communities_space_group_id: wanted.group,
        communities_space_id: wanted.space,
      }
      const workflow = await workflowOf(tenant)
      await workflow.trigger({ event_type_key: key, [condition]: ids[condition] })
      await workflow.step(addTags(start))
      ok(await workflow.enable())
      for (const { id, space } of [elsewhere, wanted]) {
        expect((await make.join(id, contact, { space_ids: [space] })).status).to.equal(201)
        if (key === '$community.ban') await make.ban(id, contact)
      }
      await on.runIn(workflow, 'completed')
      expect(await on.tagsOf(contact)).to.include(start)
    })
})
