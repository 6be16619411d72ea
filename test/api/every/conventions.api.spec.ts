import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'

describe('conventions of the API', () => {
  let tenant: Tenant
  let contacts: string
  let tags: string
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
    tags = `${contacts}/tags`
  })

  const makeTag = async (name: string) => (await tenant.api.post(tags, { contacts_tag: { name } })).body

  describe('pages', () => {
    const ids: number[] = []
    before(async () => {
      for (let number = 0; number < 45; number++) ids.push((await makeTag(`Page ${number}`)).id)
      await tenant.api.put(`/contacts/tags/${ids[3]}`, { contacts_tag: { color: '#000000' } })
    })

    const walk = async (query: string): Promise<number[]> => {
      const seen: number[] = []
      let path: string | undefined = `${tags}?${query}`
      while (path) {
        const page = await tenant.api.get(path)
        expect(page.body.length).to.be.at.most(20)
        seen.push(...page.body.map((each: { id: number }) => each.id))
        const next: string | undefined = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
        expect(page.headers.has('pagination-next')).to.equal(next !== undefined)
        const cursor = page.headers.get('pagination-next')
        if (next) expect(new URL(next).searchParams.get('after')).to.equal(cursor)
        if (next && !query.includes('sort_property')) expect(cursor).to.equal(String(seen.at(-1)))
        if (next) expect(cursor?.split('.')[0], 'a cursor begins with the id').to.equal(String(seen.at(-1)))
        path = next?.slice(next.indexOf('/api/v2') + '/api/v2'.length)
      }
      return seen
    }

    it('visit every record once, in every order', async () => {
      expect(await walk('')).to.deep.equal(ids)
      expect(await walk('sort_order=desc')).to.deep.equal([...ids].reverse())
      const touched = [...ids.filter((id) => id !== ids[3]), ids[3]]
      expect(await walk('sort_property=updated_at')).to.deep.equal(touched)
      expect(await walk('sort_property=updated_at&sort_order=desc')).to.deep.equal([...touched].reverse())
    })

    it('go on behind either form of an id', async () => {
      const { public_id } = (await tenant.api.get(`/contacts/tags/${ids[39]}`)).body
      expect(await walk(`after=${public_id}`)).to.deep.equal(ids.slice(40))
    })

    it('refuse what is no order and no cursor', async () => {
      for (const query of ['sort_order=up', 'sort_property=name', 'after=x!']) {
        expect((await tenant.api.get(`${tags}?${query}`)).status, query).to.equal(400)
      }
    })
  })

  describe('an idempotency key', () => {
    const key = (value: string) => ({ headers: { 'idempotency-key': value } })

    it('makes a repeat answer what the first request answered', async () => {
      const body = { contacts_tag: { name: 'Once' } }
      const first = await tenant.api.post(tags, body, key('one'))
      await tenant.api.put(`/contacts/tags/${first.body.id}`, { contacts_tag: { color: '#ffffff' } })
      const second = await tenant.api.post(tags, body, key('one'))
      expect(second.status).to.equal(201)
      expect(second.body).to.deep.equal(first.body)
      expect(second.headers.get('idempotency-replayed')).to.equal('true')
    })

    it('is bound to the request and to the caller', async () => {
      await tenant.api.post(tags, { contacts_tag: { name: 'Bound' } }, key('two'))
      const other = await tenant.api.post(tags, { contacts_tag: { name: 'Other' } }, key('two'))
      expect(other.status).to.equal(422)
      expect(other.body.error).to.include('Idempotency-Key has already been used for another request')
      const colleague = await tenant.withScopes(['read', 'write'])
      expect((await colleague.post(tags, { contacts_tag: { name: 'Colleague' } }, key('two'))).status).to.equal(201)
    })

    it('makes one of many requests at once', async () => {
      const body = { contact: { email_address: 'at-once@example.com', first_name: 'A' } }
      const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.api.post(contacts, body, key('three'))))
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201))
      expect(new Set(answers.map((answer) => answer.body.id)).size).to.equal(1)
    })

    it('holds for changes that change nothing and for removals', async () => {
      const made = await makeTag('Nothing')
      const path = `/contacts/tags/${made.id}`
      await tenant.api.put(path, { contacts_tag: { name: 'Nothing' } }, key('four'))
      await tenant.api.put(path, { contacts_tag: { name: 'Something' } })
      await tenant.api.put(path, { contacts_tag: { name: 'Nothing' } }, key('four'))
      expect((await tenant.api.get(path)).body.name).to.equal('Something')
      expect((await tenant.api.delete(path, key('five'))).status).to.equal(204)
      expect((await tenant.api.delete(path, key('five'))).status).to.equal(204)
      expect((await tenant.api.delete(path)).status).to.equal(404)
    })
  })

  it('gives ETags and writes only if they still hold', async () => {
    const made = await tenant.api.post(tags, { contacts_tag: { name: 'Tagged' } })
    const path = `/contacts/tags/${made.body.id}`
    const etag = made.headers.get('etag')!
    expect((await tenant.api.get(path)).headers.get('etag')).to.equal(etag)
    const changed = await tenant.api.put(
      path,
      { contacts_tag: { color: '#111111' } },
      { headers: { 'if-match': etag } },
    )
    expect(changed.status).to.equal(200)
    expect(changed.headers.get('etag')).not.to.equal(etag)
    const late = await tenant.api.put(path, { contacts_tag: { color: '#222222' } }, { headers: { 'if-match': etag } })
    expect(late.status).to.equal(412)
    expect((await tenant.api.get(path)).body.color).to.equal('#111111')
    expect((await tenant.api.delete(path, { headers: { 'if-match': etag } })).status).to.equal(412)
    expect((await tenant.api.delete(path, { headers: { 'if-match': '*' } })).status).to.equal(204)
  })

  it('shows a record as it was', async () => {
    const made = await tenant.api.post(tags, { contacts_tag: { name: 'Was' } })
    const path = `/contacts/tags/${made.body.id}`
    await new Promise((go) => setTimeout(go, 5))
    const between = new Date().toISOString()
    await new Promise((go) => setTimeout(go, 5))
    await tenant.api.put(path, { contacts_tag: { name: 'Is' } })
    expect((await tenant.api.get(`${path}?as_of=${between}`)).body).to.deep.equal(made.body)
    await tenant.api.delete(path)
    expect((await tenant.api.get(`${path}?as_of=${between}`)).body.name).to.equal('Was')
    expect((await tenant.api.get(`${path}?as_of=2020-01-01`)).status).to.equal(404)
    expect((await tenant.api.get(`${path}?as_of=yesterday`)).status).to.equal(400)
  })

  it('names every field that is wrong, at once', async () => {
    const answer = await tenant.api.post(`/workspaces/${tenant.workspaceId}/sales/opportunities`, {
      sales_opportunity: { name: ' ', pipelines_stage_id: 1, primary_contact_id: 'x!', closed_at: 'soon' },
    })
    expect(answer.status).to.equal(422)
    expect(answer.body.error).to.equal(
      "Request unprocessable: Name can't be blank, Primary contact must be an id, Closed at must be an ISO 8601 date-time",
    )
    expect(answer.body.details).to.have.length(3)
    expect(answer.body.request_id).to.equal(answer.headers.get('x-request-id'))
  })

  it('names a key that every object has', async () => {
    const send = (raw: string) => tenant.api.post(contacts, undefined, { raw })
    const refused = await send('{"contact": {"first_name": "A", "__proto__": {"last_name": "B"}}}')
    expect([refused.status, refused.body.error]).to.deep.equal([422, 'Request unprocessable: __proto__ is no field'])
    expect(refused.body.details[0].field).to.equal('contact.__proto__')
    const outside = await send('{"__proto__": {"contact": {"first_name": "A"}}}')
    expect(outside.body.error).to.equal('Bad request: param is missing or the value is empty: contact')
    const ignored = await send('{"contact": {"first_name": "A", "constructor": {"prototype": 1}}}')
    expect(ignored.status).to.equal(201)
    const criteria = '{"attribute": "__proto__", "clause": "eq", "value": "x"}'
    const raw = `{"refine_filter": {"name": "Odd", "criteria": [${criteria}]}}`
    const filter = await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, undefined, { raw })
    expect([filter.status, filter.body.details[0].field]).to.deep.equal([422, 'criteria[0].attribute'])
  })

  it('refuses bodies that are too large or too deep, and unknown routes', async () => {
    const large = await tenant.api.post(tags, undefined, {
      raw: `{"contacts_tag":{"name":"${'x'.repeat(1_100_000)}"}}`,
    })
    expect(large.status).to.equal(413)
    const deep = await tenant.api.post(tags, undefined, { raw: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` })
    expect(deep.status).to.equal(400)
    expect((await tenant.api.get('/nothing/here')).body.error).to.equal('No such route')
  })

  it('refuses a key from the moment it is revoked', async () => {
    const service = await testService()
    const { accounts } = service.background
    const key = await accounts.issueKey({ teamId: tenant.teamId, workspaceId: null, scopes: ['read'], label: 'short' })
    expect((await service.client(key.token).get('/me')).status).to.equal(200)
    await accounts.revokeKey(key.id)
    expect((await service.client(key.token).get('/me')).status).to.equal(401)
    const listed = (await accounts.keys(tenant.teamId)).find(({ id }) => id === key.id)
    expect(listed?.revoked_at).to.be.a('string')
    expect(JSON.stringify(listed)).not.to.include(key.token)
  })
})
