import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { shortly } from '../../support/shortly.ts'

describe('actions on many contacts', () => {
  let tenant: Tenant
  let contacts: string
  let tagId: number
  let tagPublicId: string
  const made: { id: number; public_id: string }[] = []
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
    const tag = (await tenant.api.post(`${contacts}/tags`, { contacts_tag: { name: 'Bulk' } })).body
    tagId = tag.id
    tagPublicId = tag.public_id
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, number) =>
        tenant.api.post(contacts, { contact: { email_address: `bulk-${number}@example.com` } }),
      ),
    )
    made.push(...answers.map((answer) => answer.body))
  })

  const act = async (kind: string, fields: object) =>
    tenant.api.post(`${contacts}/${kind}`, { [`contacts_${kind.slice(0, -1)}`]: fields })

  const completed = async (kind: string, id: number) => {
    for (let tries = 0; tries < 3000; tries++) {
      const { body } = await tenant.api.get(`/contacts/${kind}/${id}`)
      if (body.completed_at) return body
      await new Promise((go) => setTimeout(go, 10))
    }
    throw new Error('the action did not complete')
  }

  const tagged = async () => {
    let count = 0
    for (const { id } of made) count += (await tenant.api.get(`/contacts/${id}`)).body.tags.length
    return count
  }

  it('tags every contact of the workspace, and takes the tag off some', async () => {
    const queued = await act('tag_actions', { tag_ids: [tagPublicId], target_all: true })
    expect(queued.status).to.equal(201)
    expect(queued.body).to.include({
      target_count: null,
      performed_count: 0,
      completed_at: null,
      target_all: true,
      action_type: 'add',
    })
    expect(queued.body.tag_ids).to.deep.equal([tagId])
    const done = await completed('tag_actions', queued.body.id)
    expect(done).to.include({ target_count: 250, performed_count: 250 })
    expect(await tagged()).to.equal(250)
    const some = made.slice(0, 3).map((contact) => contact.public_id)
    const removal = await act('tag_actions', { tag_ids: [tagPublicId], action_type: 'remove', target_ids: some })
    expect((await completed('tag_actions', removal.body.id)).performed_count).to.equal(3)
    expect(await tagged()).to.equal(247)
  }).timeout(600_000)

  it('needs exactly one selection, of contacts and tags of the workspace', async () => {
    const none = await act('tag_actions', { tag_ids: [tagPublicId] })
    expect(none.status).to.equal(422)
    const selectors = 'stable_id, stored_filter_id, target_ids, or target_all'
    expect(none.body.error).to.equal(`Request unprocessable: provide a selection: ${selectors}`)
    expect(
      (await act('tag_actions', { tag_ids: [tagPublicId], target_all: true, target_ids: [made[0]!.id] })).status,
    ).to.equal(422)
    expect((await act('tag_actions', { tag_ids: ['zzzzzz'], target_all: true })).status).to.equal(422)
    expect((await act('tag_actions', { tag_ids: [], target_all: true })).status).to.equal(422)
    expect((await act('unsubscribe_actions', { target_ids: [2_000_000_000] })).status).to.equal(422)
  })

  it('unsubscribes for good', async () => {
    const [one] = made
    const action = await act('unsubscribe_actions', { target_ids: [one!.public_id] })
    await completed('unsubscribe_actions', action.body.id)
    const { body } = await tenant.api.get(`/contacts/${one!.id}`)
    expect(body.unsubscribed_at).to.be.a('string')
    expect(body.is_active).to.equal(false)
    expect(
      (await tenant.api.get(`${contacts}?filter[is_active]=false`)).body.map((each: { id: number }) => each.id),
    ).to.deep.equal([one!.id])
  })

  it('waits until it is due, and can be removed before', async () => {
    const soon = await act('unsubscribe_actions', {
      target_ids: [made[1]!.id],
      scheduled_for: shortly(),
    })
    const later = await act('unsubscribe_actions', { target_ids: [made[2]!.id], scheduled_for: '2099-01-01T00:00:00Z' })
    expect((await tenant.api.get(`/contacts/unsubscribe_actions/${soon.body.id}`)).body.started_at).to.equal(null)
    expect((await completed('unsubscribe_actions', soon.body.id)).started_at).to.satisfy(
      (at: string) => at >= soon.body.scheduled_for,
    )
    expect((await tenant.api.delete(`/contacts/unsubscribe_actions/${later.body.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/contacts/unsubscribe_actions/${later.body.id}`)).status).to.equal(404)
  })
})
