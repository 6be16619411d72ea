import { expect } from 'chai'
import { mailingIdOf } from '../../../domain/emails/public.ts'
import { isJsonObject, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { type AgentTenant, agentTenant, type Said, type TestAgent } from '../../support/agents.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { order as orders, soldOf } from '../../support/records/orders.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { deliveriesOfBroadcast, draft, order, settledBroadcast } from '../mail/broadcasting.ts'
import { WAIT } from '../workflows/making.ts'
import { enrolling } from '../workflows/runs/enrolled.ts'

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

const dataOf = (said: Said): JsonObject => {
  if (!isJsonObject(said.data as JsonObject)) throw new Error(JSON.stringify(said))
  return said.data as JsonObject
}

describe('whole tasks of agents', () => {
  let tenant: AgentTenant
  let agent: TestAgent

  beforeEach(async () => {
    tenant = await agentTenant()
    agent = await tenant.agent()
  })

  afterEach(() => agent.close())

  const workspace = (path: string) => `/workspaces/${tenant.workspaceId}${path}`
  const contactOf = async (contact: object): Promise<number> =>
    ok(await tenant.api.post(workspace('/contacts'), { contact })).id

  it('make a funnel of all kinds of pages, in order', async () => {
    const pages = [
      { name: 'Opt in', kind: 'page', headline: 'A <free> book', paragraphs: ['Yours & mine'], asks_for_email: true },
      { name: 'Offer', kind: 'custom_html_page', html: '<!doctype html><title>Offer</title><p>Buy</p>' },
      { name: 'Thanks', kind: 'external_page', external_url: `https://shop-${tenant.workspaceId}.example/thanks` },
    ]
    const said = await agent.call('make_funnel', { name: 'Books', pages })
    expect(said, JSON.stringify(said)).to.include({ isError: false })
    const { funnel, pages: made } = dataOf(said) as unknown as { funnel: { id: number }; pages: { id: number }[] }
    const shown = ok(await tenant.api.get(workspace(`/pages?filter[funnel_ids]=${funnel.id}`)))
    expect(shown.map(({ name }: { name: string }) => name)).to.deep.equal(['Opt in', 'Offer', 'Thanks'])
    expect(ok(await tenant.api.get(`/funnels/${funnel.id}`))).to.include({ name: 'Books', live_mode: false })
    const { markup } = ok(await tenant.api.get(`/pages/${made[0]!.id}?expand[]=markup`))
    expect(markup).to.include('A &lt;free&gt; book').and.include('<input').and.include('Yours &amp; mine')
    const steps = JSON.stringify((await agent.call('funnel_figures', { funnel_id: funnel.id })).data)
    expect(steps).to.include('views')
    const again = await agent.call('make_funnel', { name: 'Books', pages })
    expect(dataOf(again).funnel).to.have.property('id', funnel.id)
    expect(
      ok(await tenant.api.get(workspace('/funnels'))).filter(({ name }: { name: string }) => name === 'Books'),
    ).to.have.length(1)
  })

  it('add a contact with tags, find it with its history, and say what changed in it', async () => {
    const email_address = 'ann@agents.example'
    const said = await agent.call('add_contact', { email_address, first_name: 'Ann', tags: ['Reader', 'Friend'] })
    expect(said, JSON.stringify(said)).to.include({ isError: false })
    const { id } = dataOf(said) as { id: number }
    await agent.call('add_contact', { email_address, first_name: 'Anna', tags: ['Reader'] })
    expect(ok(await tenant.api.get(workspace('/contacts/tags')))).to.have.length(2)
    const found = await agent.call('find_contact', { email_address })
    const {
      contact,
      orders: bought,
      changes,
    } = dataOf(found) as unknown as { contact: JsonObject; orders: unknown[]; changes: JsonObject[] }
    expect(contact).to.include({ id, first_name: 'Anna' })
    expect(bought).to.deep.equal([])
    expect(JSON.stringify(changes)).to.include('"before":"Ann","after":"Anna"')
    const changed = await agent.call('what_changed', { kind: 'contacts', id, most: 1 })
    expect(dataOf(changed).changes).to.have.length(1)
    expect(await agent.call('find_contact', { email_address: 'nobody@agents.example' })).to.include({ found: false })
    const uri = `millrace://record/contacts/${id}`
    const { contents } = await agent.client.readResource({ uri })
    expect(JSON.stringify(contents)).to.include('Anna')
  })

  it('leave out what the scopes do not allow, and say so', async () => {
    const id = await contactOf({ email_address: 'bea@agents.example' })
    const limited = await tenant.agent({ scopes: ['contacts:read'] })
    const found = await limited.call('find_contact', { contact_id: id })
    expect(found.left_out_without_scope).to.deep.equal({
      orders: 'store:read',
      form_submissions: 'forms:read',
      mails: 'emails:read',
    })
    expect(dataOf(found)).to.have.all.keys('contact', 'changes')
    await limited.close()
  })

  it('say what changed in an order, and list the orders of a contact', async () => {
    const contact_id = await contactOf({ email_address: 'cid@agents.example' })
    const fields = { ...(await orders.fields(tenant)), contact_id }
    const { id } = ok(await tenant.api.post(workspace('/orders'), { order: fields }))
    ok(await tenant.api.put(`/orders/${id}`, { order: { notes: 'Rings once' } }))
    const { changes } = dataOf(await agent.call('what_changed', { kind: 'orders', id })) as unknown as {
      changes: JsonObject[]
    }
    expect(changes[0]!.changed).to.deep.equal({ notes: { before: 'Rings twice', after: 'Rings once' } })
    expect(changes[0]!.by).to.match(/^key:/)
    const listed = await agent.call('orders_of_contact', { contact_id })
    expect(listed.data).to.have.length(1).and.have.nested.property('[0].id', id)
  })

  it('say who bought a product and has not opened a broadcast, and why each mail was sent', async () => {
    const people = await createContacts(
      tenant,
      ['a', 'b', 'c'].map((name) => `${name}@agents.example`),
    )
    const line = await soldOf(tenant)
    const { product_id } = ok(await tenant.api.get(`/products/variants/${line.variant_id}`))
    for (const contact_id of people.slice(0, 2)) {
      const fields = { ...(await orders.fields(tenant)), contact_id }
      ok(await tenant.api.post(workspace('/orders'), { order: fields }))
    }
    const broadcast_id = await draft(tenant)
    ok(await order(tenant, broadcast_id))
    await settledBroadcast(tenant, broadcast_id)
    const ask = () => agent.call('buyers_without_open', { product_id, broadcast_id })
    expect(await ask()).to.include({ buyers: 2, not_opened: 2 })
    // What is fetched at once was fetched by a machine.
    await enrolling(tenant).later(1)
    const sent = await deliveriesOfBroadcast(tenant.service, broadcast_id)
    const mail = sent.find(({ contact_id }) => contact_id === people[0])!
    const { html } = (await readKept(tenant.service.background.stores, mailingIdOf(mail.id), mail.id))!
    await fetch(/<img src="([^"]+)"/.exec(html)![1]!, { headers: { 'user-agent': BROWSER } })
    await enrolling(tenant).later(1)
    await eventually(async () => {
      const said = await ask()
      expect(said).to.include({ buyers: 2, not_opened: 1 })
      const [left] = said.data as readonly { contact: { id: number }; got_the_broadcast: boolean }[]
      expect(left).to.have.nested.property('contact.id', people[1])
      expect(left!.got_the_broadcast).to.equal(true)
    })
    const why = await agent.call('why_this_mail', { contact_id: people[0]! })
    expect(why.data).to.have.nested.property('[0].why.emails_broadcast_id', broadcast_id)
    expect(why.data).to.have.nested.property('[0].broadcast.id', broadcast_id)
    const results = dataOf(await agent.call('broadcast_results', { broadcast_id }))
    expect(results.broadcast).to.have.property('id', broadcast_id)
    expect(await agent.call('resume_broadcast', { broadcast_id })).to.include({ done: false })
    expect(await agent.call('pause_broadcast', { broadcast_id }))
      .to.have.property('status')
      .that.is.at.least(400)
  })

  it('say who is in a workflow, and where', async () => {
    const on = enrolling(tenant)
    const tag = await on.make('contacts/tag')
    const flow = await on.startedBy(tag, WAIT)
    const contact_id = await contactOf({ email_address: 'dan@agents.example' })
    await on.applyTag(contact_id, tag)
    await eventually(async () => {
      const said = await agent.call('who_is_in_workflow', { workflow_id: flow.id })
      const { runs, steps } = dataOf(said) as unknown as { runs: JsonObject[]; steps: unknown }
      expect(runs).to.have.length(1)
      expect(runs[0]).to.have.property('contact_id', contact_id)
      expect(JSON.stringify(steps)).to.include('delay')
    })
  })

  it('show the workspace at a glance', async () => {
    await contactOf({ email_address: 'eve@agents.example' })
    const said = dataOf(await agent.call('workspace_overview'))
    expect(said.workspace).to.have.property('id', tenant.workspaceId)
    expect(said.contacts).to.have.nested.property('stats.count', 1)
  })
})

describe('what agents can read by address', () => {
  it('has the description of the API, the documentation, and pages of every kind', async () => {
    const tenant = await agentTenant()
    const agent = await tenant.agent()
    const read = async (uri: string) => JSON.stringify((await agent.client.readResource({ uri })).contents)
    expect(await read('millrace://openapi')).to.include('createContacts')
    expect(await read('millrace://openapi/createContacts')).to.include('requestBody')
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ uri }) => uri)).to.include.members([
      'millrace://openapi',
      'millrace://docs/pages',
      'millrace://docs/agents',
    ])
    expect(await read('millrace://docs/agents')).to.include('--mcp-port')
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.include('millrace://record/{kind}/{id}')
    const markup = '<section><row><column><headline>Hi</headline></column></row></section>'
    const { body } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, { page: { name: 'One', markup } })
    for (const kind of ['page', 'custom_html_page', 'external_page', 'pages'])
      expect(await read(`millrace://record/${kind}/${body.id}`)).to.include('One')
    expect(await read(`millrace://record/page/${body.id}`)).to.include('headline')
    await agent.close()
  })
})
