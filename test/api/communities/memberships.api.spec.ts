import { expect } from 'chai'
import { communitiesOf } from '../../support/communities.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('memberships and bans over REST', () => {
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

  const begun = async () => {
    const { id } = await make.community()
    const group = await make.group(id)
    const spaces = [await make.space(group.id), await make.space(group.id)]
    const { id: contactId } = await make.contact()
    return { id, contactId, a: Number(spaces[0].id), b: Number(spaces[1].id) }
  }
  const member = async (id: number) => tenant.api.get(`/communities/memberships/${id}`)

  it('joins a contact once, in exactly the spaces that are named', async () => {
    const { id, contactId, a, b } = await begun()
    const first = await make.join(id, contactId, { space_ids: [a], moderator: true })
    expect(first.status).to.equal(201)
    expect(first.body).to.deep.include({ community_id: id, moderator: true, space_ids: [a] })
    expect(first.body.contact.email_address).to.equal('ada@example.com')
    const second = await make.join(id, contactId)
    expect([second.status, second.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Contact has already joined this community',
    ])
    const { body } = await tenant.api.put(`/communities/memberships/${first.body.id}`, {
      communities_membership: { space_ids: [b] },
    })
    expect([body.space_ids, body.moderator]).to.deep.equal([[b], true])
  })

  it('lets a member leave with all spaces, and join again', async () => {
    const { id, contactId, a } = await begun()
    const { body: first } = await make.join(id, contactId, { space_ids: [a] })
    expect((await tenant.api.delete(`/communities/memberships/${first.id}`)).status).to.equal(204)
    expect((await member(first.id)).status).to.equal(404)
    const again = await make.join(id, contactId)
    expect([again.status, again.body.space_ids]).to.deep.equal([201, []])
    expect(again.body.id).not.to.equal(first.id)
  })

  it('takes only spaces of the community', async () => {
    const { id, contactId } = await begun()
    const other = await make.space((await make.group((await make.community()).id)).id)
    const refused = await make.join(id, contactId, { space_ids: [other.id] })
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Space ids must be of the community',
    ])
  })

  it('15 43: makes one membership of many requests at once', async () => {
    const { id, contactId } = await begun()
    const answers = await Promise.all(Array.from({ length: 30 }, () => make.join(id, contactId)))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1)
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201, 422]))
    expect((await tenant.api.get(`/communities/${id}/memberships`)).body).to.have.length(1)
  })

  it('15 43: shows never a membership beside a ban, when both are made at once', async () => {
    const { id } = await make.community()
    const contacts = await Promise.all(Array.from({ length: 12 }, (_, n) => make.contact(`ada${n}`)))
    await Promise.all(contacts.flatMap((one) => [make.join(id, one.id), make.ban(id, one.id)]))
    expect((await tenant.api.get(`/communities/${id}/memberships`)).body).to.deep.equal([])
    expect((await tenant.api.get(`/communities/${id}/bans`)).body).to.have.length(12)
  })

  it('15 41: a ban keeps the membership out of sight, and its end brings it back without the right to moderate', async () => {
    const { id, contactId, a, b } = await begun()
    const { body: joined } = await make.join(id, contactId, { space_ids: [a, b], moderator: true })
    const ban = await make.ban(id, contactId, { reason: 'Throws clay' })
    expect([ban.status, ban.body.reason, ban.body.bannable_type, ban.body.bannable_id]).to.deep.equal([
      201,
      'Throws clay',
      'Community',
      id,
    ])
    expect((await member(joined.id)).status).to.equal(404)
    expect((await make.join(id, contactId)).body.error).to.equal(
      'Request unprocessable: Contact is banned from this community',
    )
    const second = await make.ban(id, contactId)
    expect([second.status, second.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Contact has already been banned from this community',
    ])
    expect((await tenant.api.delete(`/communities/spaces/${b}`)).status).to.equal(204)
    expect((await tenant.api.delete(`/communities/bans/${ban.body.id}`)).status).to.equal(204)
    const { body: back } = await member(joined.id)
    expect([back.space_ids, back.moderator]).to.deep.equal([[a], false])
    expect((await tenant.api.get(`/communities/bans/${ban.body.id}`)).status).to.equal(404)
  })

  it('15 41: bans who never joined; the end of the ban makes nobody a member', async () => {
    const { id, contactId } = await begun()
    const ban = await make.ban(id, contactId)
    expect(ban.body.reason).to.equal(null)
    await tenant.api.delete(`/communities/bans/${ban.body.id}`)
    expect((await tenant.api.get(`/communities/${id}/memberships`)).body).to.deep.equal([])
    expect((await make.join(id, contactId)).status).to.equal(201)
  })

  it('refuses a reason of more than 1024 characters', async () => {
    const { id, contactId } = await begun()
    const refused = await make.ban(id, contactId, { reason: 'x'.repeat(1025) })
    expect([refused.status, refused.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Reason is too long (maximum is 1024 characters)',
    ])
  })

  it('15 40: a deleted contact neither joins nor is banned; what it was in shows no contact', async () => {
    const { id, contactId } = await begun()
    const { body: joined } = await make.join(id, contactId)
    expect((await tenant.api.delete(`/contacts/${contactId}`)).status).to.be.oneOf([200, 204])
    expect((await member(joined.id)).body.contact).to.equal(null)
    const other = await make.community()
    expect((await make.join(other.id, contactId)).status).to.equal(422)
    expect((await make.ban(other.id, contactId)).status).to.equal(422)
  })
})
