import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'

describe('contacts over REST', () => {
  let tenant: Tenant
  let contacts: string
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const create = async (fields: object) => (await tenant.api.post(contacts, { contact: fields })).body
  const tag = async (name: string) => (await tenant.api.post(`${contacts}/tags`, { contacts_tag: { name } })).body

  it('shows a contact by id and by public id', async () => {
    const made = await create({
      email_address: ' Ada@Example.com ',
      first_name: 'Ada',
      custom_attributes: { 'Shoe size': 38 },
    })
    expect(made).to.include({
      email_address: 'Ada@Example.com',
      first_name: 'Ada',
      last_name: null,
      anonymous: 0,
      is_active: true,
    })
    expect(made.custom_attributes).to.deep.equal({ shoe_size: '38' })
    expect(made.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const id of [made.id, made.public_id])
      expect((await tenant.api.get(`/contacts/${id}`)).body).to.deep.equal(made)
  })

  it('keeps e-mail addresses unique in a workspace, whatever their case', async () => {
    await create({ email_address: 'unique@example.com' })
    const second = await tenant.api.post(contacts, { contact: { email_address: 'UNIQUE@example.com' } })
    expect(second.status).to.equal(422)
    expect(second.body.error).to.equal('Request unprocessable: Email address has already been taken')
    const elsewhere = await (await testService()).tenant()
    const first = { contact: { email_address: 'unique@example.com' } }
    expect((await elsewhere.api.post(`/workspaces/${elsewhere.workspaceId}/contacts`, first)).status).to.equal(201)
  })

  it('accepts another spelling of an e-mail address, which stays taken', async () => {
    const { id } = await create({ email_address: 'sp@example.com' })
    const spelled = await tenant.api.put(`/contacts/${id}`, { contact: { email_address: 'SP@example.com' } })
    expect(spelled.body.email_address).to.equal('SP@example.com')
    expect((await tenant.api.post(contacts, { contact: { email_address: 'sp@example.com' } })).status).to.equal(422)
  })

  it('upserts by e-mail address and never clears', async () => {
    const [one, two] = [await tag('Upsert one'), await tag('Upsert two')]
    const first = await tenant.api.post(`${contacts}/upsert`, {
      contact: { email_address: 'up@example.com', first_name: 'Up', tag_ids: [one.id], custom_attributes: { a: '1' } },
    })
    expect(first.status).to.equal(201)
    const second = await tenant.api.post(`${contacts}/upsert`, {
      contact: {
        email_address: 'UP@example.com',
        first_name: '',
        last_name: 'Sert',
        tag_ids: [],
        custom_attributes: { b: '2', a: '' },
      },
    })
    expect(second.status).to.equal(200)
    expect(second.body).to.include({ id: first.body.id, first_name: 'Up', last_name: 'Sert' })
    expect(second.body.tags.map((each: { id: number }) => each.id)).to.deep.equal([one.id])
    expect(second.body.custom_attributes).to.deep.equal({ a: '1', b: '2' })
    const third = await tenant.api.post(`${contacts}/upsert`, {
      contact: { email_address: 'up@example.com', tag_ids: [two.id] },
    })
    expect(third.body.tags.map((each: { name: string }) => each.name)).to.deep.equal(['Upsert two'])
  })

  it('clears by update, and replaces tags as a whole', async () => {
    const made = await create({
      email_address: 'clear@example.com',
      first_name: 'C',
      tag_ids: [(await tag('Clear')).id],
    })
    const { body } = await tenant.api.call('PATCH', `/contacts/${made.id}`, {
      contact: { first_name: null, tag_ids: [] },
    })
    expect(body).to.include({ first_name: null })
    expect(body.tags).to.deep.equal([])
  })

  it('spells every custom attribute in snake case, whatever it is called', async () => {
    const set = (attributes: string) =>
      tenant.api.post(contacts, undefined, { raw: `{"contact": {"custom_attributes": ${attributes}}}` })
    const { body } = await set('{"__proto__": "a", "constructor": "b", "toString": "c"}')
    expect(body.custom_attributes).to.deep.equal({ proto: 'a', constructor: 'b', to_string: 'c' })
    expect((await tenant.api.get(`/contacts/${body.id}`)).body).to.deep.equal(body)
    const refused = await set('{"__proto__": {"a": 1}}')
    expect(refused.body.details).to.deep.equal([
      {
        field: 'contact.custom_attributes',
        code: 'type',
        message: "Custom attributes has no text for '__proto__'",
      },
    ])
  })

  it('has at most 500 custom attributes, of 256 KiB', async () => {
    const named = (from: number, to: number, value: string) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`a${from + index}`, value]))
    const { id } = await create({ custom_attributes: named(0, 500, 'x') })
    const add = async (custom_attributes: object) => {
      const { status, body } = await tenant.api.put(`/contacts/${id}`, { contact: { custom_attributes } })
      return [status, body.error]
    }
    expect(await add(named(500, 501, 'x'))).to.deep.equal([
      422,
      'Request unprocessable: Custom attributes can be at most 500, and would be 501',
    ])
    expect(await add(named(0, 5, 'x'.repeat(60_000)))).to.deep.equal([
      422,
      'Request unprocessable: Custom attributes can take at most 256 KiB, and would take 296 KiB',
    ])
    expect((await add(named(0, 4, 'y'.repeat(60_000))))[0]).to.equal(200)
  })

  it('stores the time zone of a contact, and refuses an unknown one', async () => {
    const { id } = await create({ email_address: 'zone@example.com', time_zone: 'Hawaii' })
    const change = (time_zone: string) => tenant.api.put(`/contacts/${id}`, { contact: { time_zone } })
    expect((await change('Europe/Berlin')).body.time_zone).to.equal('Europe/Berlin')
    const { status, body } = await change('Middle-earth')
    expect([status, body.details[0].field]).to.deep.equal([422, 'contact.time_zone'])
    expect((await change('')).body.time_zone).to.equal(null)
  })

  it('applies and removes single tags', async () => {
    const made = await create({ email_address: 'tagged@example.com' })
    const vip = await tag('VIP')
    const applied = await tenant.api.post(`/contacts/${made.id}/applied_tags`, {
      contacts_applied_tag: { tag_id: vip.public_id },
    })
    expect(applied.status).to.equal(201)
    expect(applied.body.tag).to.deep.equal({ public_id: vip.public_id, name: 'VIP', color: vip.color })
    expect(applied.body.contact.email_address).to.equal('tagged@example.com')
    const again = await tenant.api.post(`/contacts/${made.id}/applied_tags`, {
      contacts_applied_tag: { tag_id: vip.id },
    })
    expect(again.status).to.equal(422)
    const filtered = await tenant.api.get(`/contacts/${made.id}/applied_tags?filter[tag_id]=${vip.id}`)
    expect(filtered.body.map((each: { id: number }) => each.id)).to.deep.equal([applied.body.id])
    expect((await tenant.api.get(`${contacts}?filter[tag_ids]=${vip.id}`)).body).to.have.length(1)
    expect((await tenant.api.delete(`/contacts/applied_tags/${applied.body.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/contacts/applied_tags/${applied.body.id}`)).status).to.equal(404)
    expect((await tenant.api.get(`/contacts/${made.id}`)).body.tags).to.deep.equal([])
  })

  it('loses a tag that is removed from the workspace', async () => {
    const gone = await tag('Going')
    const made = await create({ email_address: 'loses@example.com', tag_ids: [gone.id] })
    expect((await tenant.api.delete(`/contacts/tags/${gone.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/contacts/${made.id}`)).body.tags).to.deep.equal([])
    const applied = `/contacts/${made.id}/applied_tags`
    for (let tries = 0; tries < 1000 && (await tenant.api.get(applied)).body.length > 0; tries++)
      await new Promise((go) => setTimeout(go, 10))
    expect((await tenant.api.get(applied)).body).to.deep.equal([])
  })

  it('refuses tags that are not of the workspace', async () => {
    const answer = await tenant.api.post(contacts, {
      contact: { email_address: 'x@example.com', tag_ids: [2_000_000_001, 2_000_000_002] },
    })
    expect(answer.status).to.equal(422)
    expect(answer.body.details[0].field).to.equal('contact.tag_ids')
  })

  it('lists identified contacts only, without deleted and redacted ones', async () => {
    const fresh = await (await testService()).tenant()
    const path = `/workspaces/${fresh.workspaceId}/contacts`
    const make = async (fields: object) => (await fresh.api.post(path, { contact: fields })).body
    const kept = await make({ email_address: 'kept@example.com' })
    await make({ first_name: 'Anonymous' })
    const deleted = await make({ email_address: 'deleted@example.com' })
    const redacted = await make({ email_address: 'redacted@example.com' })
    await fresh.api.delete(`/contacts/${deleted.id}`)
    await fresh.api.delete(`/contacts/${redacted.id}/gdpr_destroy`)
    expect((await fresh.api.get(path)).body.map((each: { id: number }) => each.id)).to.deep.equal([kept.id])
  })

  it('deletes softly, once, and frees the address', async () => {
    const made = await create({ email_address: 'gone@example.com', first_name: 'Gone' })
    expect((await tenant.api.delete(`/contacts/${made.id}`)).status).to.equal(204)
    const shown = await tenant.api.get(`/contacts/${made.id}`)
    expect(shown.status).to.equal(200)
    expect(shown.body).to.include({ first_name: 'Gone', is_active: false })
    expect(shown.body.deleted_at).to.be.a('string')
    expect((await tenant.api.delete(`/contacts/${made.id}`)).status).to.equal(404)
    expect((await tenant.api.put(`/contacts/${made.id}`, { contact: { first_name: 'Back' } })).status).to.equal(404)
    expect((await create({ email_address: 'gone@example.com' })).id).not.to.equal(made.id)
  })

  it('is redacted for good', async () => {
    const made = await create({
      email_address: 'erase@example.com',
      first_name: 'E',
      phone_number: '+1',
      custom_attributes: { kept: 'yes' },
    })
    expect((await tenant.api.delete(`/contacts/${made.id}/gdpr_destroy`)).status).to.equal(204)
    const { body } = await tenant.api.get(`/contacts/${made.id}`)
    expect(body).to.include({ first_name: 'REDACTED', last_name: 'REDACTED', phone_number: null, is_active: false })
    expect(body.email_address).to.match(/^redacted-[0-9a-f]+@example\.com$/)
    expect(body.custom_attributes).to.deep.equal({ kept: 'yes' })
    const before = await tenant.api.get(`/contacts/${made.id}?as_of=${made.created_at}`)
    expect(JSON.stringify(before.body)).not.to.include('erase@')
  })

  it('is deleted after it was redacted, once', async () => {
    const made = await create({ email_address: 'erased@example.com' })
    await tenant.api.delete(`/contacts/${made.id}/gdpr_destroy`)
    expect((await tenant.api.delete(`/contacts/${made.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/contacts/${made.id}`)).body.deleted_at).to.be.a('string')
    expect((await tenant.api.delete(`/contacts/${made.id}`)).status).to.equal(404)
  })

  it('finds by address, id and activity, and refuses other filters', async () => {
    const made = await create({ email_address: 'find+me@example.com' })
    const find = async (query: string) =>
      (await tenant.api.get(`${contacts}?${query}`)).body.map((each: { id: number }) => each.id)
    expect(
      await find(`filter[email_address]=${encodeURIComponent('FIND+me@example.com')},nobody@example.com`),
    ).to.deep.equal([made.id])
    expect(await find(`filter%5Bid%5D=${made.public_id}`)).to.deep.equal([made.id])
    expect(await find(`filter[id]=${made.id}&filter[is_active]=false`)).to.deep.equal([])
    expect(await find(`filter[id]=${made.id}&filter[is_active]=true`)).to.deep.equal([made.id])
    const refused = await tenant.api.get(`${contacts}?filter[first_name]=x`)
    expect(refused.status).to.equal(400)
    expect(refused.body.error).to.include('found unpermitted parameter: :first_name')
    expect((await tenant.api.get(`${contacts}?filters[first_name]=x`)).status).to.equal(400)
    expect((await tenant.api.get(`${contacts}?page=3`)).status).to.equal(200)
  })

  it('shows e-mail engagement only when asked', async () => {
    const made = await create({ email_address: 'engaged@example.com' })
    expect(made).not.to.have.property('email_engagement')
    const { body } = await tenant.api.get(`/contacts/${made.id}?expand[]=email_engagement`)
    expect(body.email_engagement).to.deep.equal({
      last_email_sent_at: null,
      last_email_opened_at: null,
      last_email_clicked_at: null,
    })
    expect((await tenant.api.get(`/contacts/${made.id}?expand[]=nothing`)).status).to.equal(400)
  })
})
