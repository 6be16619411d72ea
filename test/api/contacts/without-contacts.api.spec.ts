import { expect } from 'chai'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { CATEGORIES } from '../../../domain/kernel/values/scopes.ts'
import { type ApiClient, ok } from '../../support/client.ts'
import { pathFor } from '../../support/operations.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { startTestService, type Tenant } from '../../support/service.ts'
import { builder } from '../../support/traffic/funnels.ts'

/** Values that occur nowhere else. */
const PERSON = {
  email_address: 'zenobia.quartermaine@unmistakable.example',
  first_name: 'Zenobiaxyla',
  last_name: 'Quartermainevski',
  phone_number: '+99 8182 838485',
  fb_url: 'https://fb.example/zenobiaxyla',
  website_url: 'https://zenobiaxyla.example/home',
  time_zone: 'Tokyo',
  custom_attributes: { shoe_size: 'forty-one-and-a-half' },
}
const VALUES = [
  ...Object.values(PERSON).filter((value) => typeof value === 'string'),
  'forty-one-and-a-half',
  'Echo of zenobia',
]
const TAG = 'Unmistakable tag'

const traces = (body: unknown): readonly string[] => {
  const text = JSON.stringify(body) ?? ''
  return [...VALUES, TAG].filter((value) => text.includes(value))
}

describe('without contacts:read', () => {
  let tenant: Tenant
  let receiver: Receiver
  let workspace: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at freely by tests
  let contact: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let opportunity: any
  let split: string
  let seller: ApiClient
  let url: string

  before(async () => {
    const service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
    url = service.url
    receiver = await startReceiver()
    receiver.behave(({ json }, response) => response.end(`Echo of ${json.data.email_address}`))
    tenant = await service.tenant({ test: true })
    workspace = `/workspaces/${tenant.workspaceId}`
    const { api } = tenant
    const types = ['$contact.created', '$contact.tag_applied', '$sales.opportunity_created']
    const fields = { url: receiver.url, name: 'All', event_type_ids: types }
    const endpoint = ok(
      await api.post(`${workspace}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint: fields }),
    )
    const tag = ok(await api.post(`${workspace}/contacts/tags`, { contacts_tag: { name: TAG } }))
    contact = ok(await api.post(`${workspace}/contacts`, { contact: { ...PERSON, tag_ids: [tag.id] } }))
    const [pipeline] = ok(await api.get(`${workspace}/sales/pipelines`))
    const sale = { name: 'A sale', pipelines_stage_id: pipeline.stages[0].id, primary_contact_id: contact.id }
    opportunity = ok(await api.post(`${workspace}/sales/opportunities`, { sales_opportunity: sale }))
    ok(await api.post(`/webhooks/outgoing/endpoints/${endpoint.id}/ping`))
    const criteria = [{ attribute: 'email_address', clause: 'eq', value: PERSON.email_address }]
    const filter = ok(
      await api.post(`${workspace}/refine_filters`, { refine_filter: { name: PERSON.last_name, criteria } }),
    )
    const build = builder(tenant)
    const funnel = await build.funnel()
    const made = await build.conditional(funnel.id, { condition: { filter_id: filter.public_id }, branches: [{}, {}] })
    split = `/funnels/${funnel.id}/conditional_split_steps/${made.id}`
    seller = await tenant.withScopes(['opportunities:write'])
    await receiver.until(4)
    while (JSON.stringify(ok(await api.get(events()))).includes('pending'))
      await new Promise((go) => setTimeout(go, 10))
  })
  after(() => receiver.close())

  const events = () => `${workspace}/webhooks/outgoing/events`

  it('an embedded contact keeps its ids and times, and nothing else', async () => {
    const whole = ok(await tenant.api.get(`/sales/opportunities/${opportunity.id}`)).primary_contact
    const shown = ok(await seller.get(`/sales/opportunities/${opportunity.id}`)).primary_contact
    expect(Object.keys(shown).sort()).to.deep.equal(Object.keys(whole).sort())
    const { id, public_id, workspace_id, created_at, updated_at } = whole
    expect(shown).to.deep.include({ id, public_id, workspace_id, created_at, updated_at })
    expect(shown).to.deep.include({ uuid: '', is_active: false, custom_attributes: {}, tags: null })
    for (const name of ['email_address', 'first_name', 'last_name', 'phone_number', 'time_zone', 'anonymous', 'fb_url'])
      expect(shown[name], name).to.equal(null)
  })

  it('applies to shows, lists, history and answers to writes, and their repeats', async () => {
    const path = `/sales/opportunities/${opportunity.id}`
    const sale = { name: 'Another', pipelines_stage_id: opportunity.pipelines_stage_id, primary_contact_id: contact.id }
    const key = { headers: { 'idempotency-key': 'a sale without contacts' } }
    const create = () => seller.post(`${workspace}/sales/opportunities`, { sales_opportunity: sale }, key)
    const [first, again] = [await create(), await create()]
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(again.body).to.deep.equal(first.body)
    const answers = [
      first,
      again,
      await seller.put(path, { sales_opportunity: { name: 'Renamed' } }),
      await seller.get(path),
      await seller.get(`${path}?as_of=${opportunity.updated_at}`),
      await seller.get(`${path}?expand[]=email_engagement`),
      await seller.get(`${workspace}/sales/opportunities`),
      await seller.get(`${workspace}/sales/opportunities?filter[primary_contact_id]=${contact.id}`),
    ]
    for (const answer of answers) {
      expect(traces(ok(answer))).to.deep.equal([])
      expect(JSON.stringify(answer.body)).to.include(`"primary_contact":{"id":${contact.id},`)
    }
  })

  it('no list can be narrowed or put in order by what is personal', async () => {
    const list = `${workspace}/sales/opportunities`
    for (const query of [
      `filter[email_address]=${PERSON.email_address}`,
      'filter[primary_contact.first_name]=Zenobiaxyla',
      'sort_property=primary_contact.last_name',
      'sort_property=email_address',
    ])
      expect((await seller.get(`${list}?${query}`)).status, query).to.equal(400)
  })

  it('a cached answer for the scope is never shown without it, nor the other way round', async () => {
    const paths = [`/sales/opportunities/${opportunity.id}`, `${workspace}/sales/opportunities`]
    for (let round = 0; round < 6; round++)
      for (const path of paths) {
        expect(traces(ok(await tenant.api.get(path))), `with, round ${round}`).to.include(PERSON.email_address)
        expect(traces(ok(await seller.get(path))), `without, round ${round}`).to.deep.equal([])
      }
  })

  it('events whose subject is out of scope are left out of lists, and answer 403 alone', async () => {
    const all = ok(await tenant.api.get(events()))
    const ofType = (type: string) => all.find((one: { subject_type: string }) => one.subject_type === type)
    const types = async (scopes: readonly string[], query = '') => {
      const shown = ok(await (await tenant.withScopes(scopes)).get(`${events()}${query}`))
      return shown.map((one: { subject_type: string }) => one.subject_type).sort()
    }
    const endpointType = 'Webhooks::Outgoing::Endpoint'
    const everything = all.map((one: { subject_type: string }) => one.subject_type).sort()
    expect(new Set(everything)).to.have.length(4)
    expect(await types(['webhooks:read', 'contacts:read', 'opportunities:read'])).to.deep.equal(everything)
    expect(await types(['webhooks:write'])).to.deep.equal([endpointType])
    expect(await types(['webhooks:read'], '?filter[event_type_id]=$contact.created')).to.deep.equal([])
    expect(await types(['webhooks:read'], '?sort_property=updated_at&sort_order=desc')).to.deep.equal([endpointType])
    const ofContacts = ['Contact', 'Contacts::AppliedTag', endpointType]
    expect(await types(['webhooks:read', 'contacts:read'])).to.deep.equal(ofContacts)
    const hooks = await tenant.withScopes(['webhooks:write'])
    for (const type of ['Contact', 'Contacts::AppliedTag', 'Sales::Opportunity']) {
      const path = `/webhooks/outgoing/events/${ofType(type).id}`
      for (const answer of [
        await hooks.get(path),
        await hooks.get(`${path}?as_of=${ofType(type).created_at}`),
        await hooks.post(`${path}/redeliver`),
      ]) {
        expect(answer.status, type).to.equal(403)
        expect(answer.body.error).to.match(/lacks the scope (contacts|opportunities):read/)
      }
    }
    expect((await hooks.get(`/webhooks/outgoing/events/${ofType(endpointType).id}`)).status).to.equal(200)
  })

  it('the events of an opportunity, and what receivers answered to them, tell nothing of the person', async () => {
    const hooks = await tenant.withScopes(['webhooks:write', 'opportunities:read'])
    const [whole, shown] = [tenant.api, hooks].map(async (api) =>
      ok(await api.get(`${events()}?filter[event_type_id]=$sales.opportunity_created`)),
    )
    const [event] = await whole!
    expect(event.data.primary_contact.email_address).to.equal(PERSON.email_address)
    expect(event.deliveries[0].attempts[0].response).to.include('Echo of')
    const [blank] = await shown!
    expect(blank.id).to.equal(event.id)
    expect(blank.data.primary_contact).to.deep.include({ id: contact.id, email_address: null, uuid: '' })
    expect(blank.deliveries[0].attempts[0].response).to.equal(null)
    expect(traces(blank)).to.deep.equal([])
    const again = ok(await hooks.post(`/webhooks/outgoing/events/${event.id}/redeliver`))
    expect(traces(again)).to.deep.equal([])
  })

  it('a filter inside a split says nothing but that it is there', async () => {
    const funnels = await tenant.withScopes(['funnels:read'])
    const whole = ok(await tenant.api.get(`${split}?expand[]=filter`)).condition.filter
    expect(whole.criteria[0].value).to.equal(PERSON.email_address)
    const { filter } = ok(await funnels.get(`${split}?expand[]=filter`)).condition
    expect(filter).to.deep.include({ id: whole.id, public_id: whole.public_id, name: null, criteria: [] })
  })

  it('no read of any other category shows anything personal', async () => {
    const routes = routesOf(resources).filter(({ method, category }) => method === 'GET' && category !== 'contacts')
    const others = CATEGORIES.filter((category) => category !== 'contacts').map((category) => `${category}:write`)
    const api = await tenant.withScopes(others)
    let read = 0
    for (const route of routes) {
      const { operation, resource } = route
      const parts = operation.kind === 'read' ? (operation.expands ?? []) : Object.keys(resource.view.expands ?? {})
      const expand = parts.map((part) => `expand[]=${part}`)
      const answer = await api.get(`${await pathFor(tenant, route)}?${expand.join('&')}`)
      // Only a test workspace has a clock.
      if (answer.status === 200) read++
      else expect(route.operationId).to.equal('getWorkspacesTestClock')
      expect(traces(answer.body), route.operationId).to.deep.equal([])
      expect(JSON.stringify(answer.body), route.operationId).to.not.match(/contact-\d+@example\.com/)
    }
    expect(read).to.be.greaterThan(30)
  })

  it('the document says so', async () => {
    const document = JSON.parse(await (await fetch(`${url}/api/v2.json`)).text())
    expect(JSON.stringify(document.components.schemas)).to.include(
      'Blank where it is read with a token without contacts:read',
    )
    const { get: list } = document.paths['/api/v2/workspaces/{workspace_id}/webhooks/outgoing/events']
    const { get: show } = document.paths['/api/v2/webhooks/outgoing/events/{id}']
    expect(list.description).to.include('left out')
    expect(show.description).to.include('403')
  })
})
