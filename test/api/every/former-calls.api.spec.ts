import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { memberOf } from '../../support/records/account.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

const key = (name: string) => ({ headers: { 'Idempotency-Key': name } })

/** What six operations get by being writes like all others. */
describe('settings, orders, publishing, filters and memberships', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
  })
  const make = (kind: string) => recordMakers[kind]!.make(tenant)

  it('keeps both of two first savings of settings at once', async () => {
    const fresh = await (await testService()).tenant({ test: true })
    const path = `/workspaces/${fresh.workspaceId}/emails`
    const answers = await Promise.all([
      fresh.api.put(`${path}/settings`, { marketing_setting: { name: 'Clay' } }),
      fresh.api.put(`${path}/settings`, { marketing_setting: { unsubscribe_footer: 'Bye' } }),
      fresh.api.put(`${path}/owed_mails`, { owed_mails: { off: ['order_shipped'] } }),
    ])
    expect(answers.map(({ status }) => status)).to.eql([200, 200, 200])
    const { name, unsubscribe_footer } = ok(await fresh.api.get(`${path}/settings`))
    expect({ name, unsubscribe_footer }).to.eql({ name: 'Clay', unsubscribe_footer: 'Bye' })
    expect(ok(await fresh.api.get(`${path}/owed_mails`)).off).to.eql(['order_shipped'])
  })

  it('saves settings only at the revision that is asked for, or where there are some', async () => {
    const fresh = await (await testService()).tenant({ test: true })
    const path = `/workspaces/${fresh.workspaceId}/emails/settings`
    const save = (name: string, tag: string) =>
      fresh.api.put(path, { marketing_setting: { name } }, { headers: { 'If-Match': tag } })
    expect((await save('None yet', '*')).status).to.equal(412)
    const first = await fresh.api.put(path, { marketing_setting: { name: 'First' } })
    const second = await save('Second', first.headers.get('etag')!)
    expect([second.status, second.body.name]).to.eql([200, 'Second'])
    expect((await save('Third', first.headers.get('etag')!)).status).to.equal(412)
    expect((await save('Fourth', '*')).body.name).to.equal('Fourth')
  })

  it('brings fields into an order once', async () => {
    const set = await make('forms/field_set')
    const path = `/forms/field_sets/${set}/fields`
    const add = async (name: string): Promise<number> =>
      ok(await tenant.api.post(path, { forms_field: { label: name, key: name, field_type: 'text' } })).id
    const [one, two] = [await add('one'), await add('two')]
    const reorder = (ids: readonly number[], name: string) =>
      tenant.api.post(`${path}/reorder`, { ids_in_order: ids }, key(name))
    expect((await reorder([two, one], 'first')).body).to.eql({ ordered_field_ids: [two, one] })
    expect((await reorder([one, two], 'second')).body).to.eql({ ordered_field_ids: [one, two] })
    const again = await reorder([two, one], 'first')
    expect([again.body, again.headers.get('idempotency-replayed')]).to.eql([{ ordered_field_ids: [two, one] }, 'true'])
    const shown = ok(await tenant.api.get(`${path}?sort_property=sort_order`))
    expect(shown.map(({ id }: { id: number }) => id)).to.eql([one, two])
  })

  it('publishes nothing where a repeated request found nothing to publish', async () => {
    const course = await make('course')
    const path = `/courses/${course}/sections/publish_actions`
    const publish = (options = {}) =>
      tenant.api.post(path, { courses_sections_publish_action: { target_all: true } }, options)
    while ((await publish()).status === 201)
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    const nothing = await publish(key('nothing'))
    expect([nothing.status, nothing.body.target_count]).to.eql([200, 0])
    ok(await tenant.api.post(`/courses/${course}/sections`, { courses_section: { title: 'New' } }))
    const again = await publish(key('nothing'))
    expect([again.status, again.body]).to.eql([200, nothing.body])
    const other = { courses_sections_publish_action: { target_all: true, send_email: false } }
    expect((await tenant.api.post(path, other, key('nothing'))).body.details[0].code).to.equal('reused')
    expect((await publish(key('something'))).status).to.equal(201)
  })

  it('stores one filter under one key, and none where it is only made', async () => {
    const path = `/workspaces/${tenant.workspaceId}/contacts/filters`
    const text = 'email contains example.com'
    const made = await tenant.api.post(path, { text }, key('made'))
    expect([made.status, made.body.id]).to.eql([201, null])
    const saved = await tenant.api.post(path, { text, save: true, name: 'Examples' }, key('saved'))
    const again = await tenant.api.post(path, { text, save: true, name: 'Examples' }, key('saved'))
    expect([saved.status, again.status, again.body]).to.eql([201, 201, saved.body])
    expect(ok(await tenant.api.get(`/contacts/filters/${saved.body.id}`))).to.eql(saved.body)
    const taken = await tenant.api.post(path, { text, save: true, name: 'Examples' })
    expect([taken.status, taken.body.details[0].field]).to.eql([422, 'name'])
    expect((await tenant.api.post(path, { text, save: true }, key('made'))).body.details[0].code).to.equal('reused')
  })

  it('stores no filter for who may only read', async () => {
    const path = `/workspaces/${tenant.workspaceId}/contacts/filters`
    const reader = await tenant.withScopes(['contacts:read'])
    expect((await reader.post(path, { text: 'email contains example.com' })).status).to.equal(201)
    expect((await reader.post(path, { text: 'email contains example.com', save: true })).status).to.equal(403)
  })

  it('shows what ends with a membership, in the repeat as well', async () => {
    const ofTeam = await tenant.withScopes(['read', 'write'], 'team')
    const { id } = await memberOf(tenant)
    const removed = await ofTeam.delete(`/memberships/${id}`, key('removed'))
    const again = await ofTeam.delete(`/memberships/${id}`, key('removed'))
    expect([removed.status, removed.body.id, again.status]).to.eql([200, id, 200])
    expect(again.body).to.eql(removed.body)
    expect((await ofTeam.delete(`/memberships/${id}`)).status).to.equal(404)
  })
})
