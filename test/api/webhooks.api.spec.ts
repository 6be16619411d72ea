import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { CONTRACT_KEYS } from '../../domain/webhooks/contract-keys.ts'
import { recordMakers } from '../support/records.ts'
import { answers, type Received, type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'

const ofType = (type: string) => (received: Received) => received.json.event_type === type

describe('outgoing webhooks', () => {
  let service: TestService
  let tenant: Tenant
  let receiver: Receiver

  before(async () => {
    service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
  })
  beforeEach(async () => {
    tenant = await service.tenant()
    receiver = await startReceiver()
  })
  afterEach(async () => receiver.close())

  const endpoints = () => `/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`
  const events = () => `/workspaces/${tenant.workspaceId}/webhooks/outgoing/events`
  const subscribe = async (types: readonly string[], more: object = {}) => {
    const fields = { url: receiver.url, name: 'Test', event_type_ids: types, ...more }
    const { status, body } = await tenant.api.post(endpoints(), { webhooks_outgoing_endpoint: fields })
    expect(status).to.equal(201)
    return body
  }
  const addContact = async (fields: object = {}) => {
    const { status, body } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
      contact: { first_name: 'Ada', ...fields },
    })
    expect(status).to.equal(201)
    return body
  }
  const settled = async (id: number, status: string) => {
    for (let tries = 0; tries < 2400; tries++) {
      const { body } = await tenant.api.get(`/webhooks/outgoing/events/${id}`)
      if (body.deliveries.every((one: { status: string }) => one.status === status)) return body
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`event ${id} did not become ${status}`)
  }

  it('deliver a contact as the API showed it, signed both ways', async () => {
    const endpoint = await subscribe(['$contact.created'])
    const contact = await addContact({ email_address: 'ada@example.com', custom_attributes: { plan: 'gold' } })
    const [delivery] = await receiver.until(1)
    const { headers, body, json } = delivery!
    expect(json.data).to.deep.equal(contact)
    expect(json).to.deep.include({
      event_type: '$contact.created',
      subject_id: contact.id,
      subject_type: 'Contact',
      api_version: 2,
      workspace_id: tenant.workspaceId,
      page: null,
      funnel: null,
    })
    expect(json.event_id).to.match(/^[0-9a-f]{32}$/)
    expect(json.sequence).to.equal(2)

    const signed = headers as Record<string, string>
    expect(new Webhook(endpoint.signing_secret).verify(body, signed)).to.deep.equal(json)
    expect(() => new Webhook(endpoint.signing_secret).verify(`${body} `, signed)).to.throw(/matching signature/)
    expect(signed['webhook-id']).to.equal(json.event_id)
    const timestamp = signed['x-webhook-clickfunnels-timestamp']
    const expected = createHmac('sha256', endpoint.webhook_secret).update(`${timestamp}.${body}`).digest('hex')
    expect(signed['x-webhook-clickfunnels-signature']).to.equal(expected)
    expect(endpoint.webhook_secret).to.match(/^[0-9a-f]{64}$/)
  })

  it('show the secret once', async () => {
    const endpoint = await subscribe(['$contact.created'])
    for (const path of [`/webhooks/outgoing/endpoints/${endpoint.id}`, endpoints()]) {
      expect(JSON.stringify((await tenant.api.get(path)).body)).to.not.include(endpoint.webhook_secret)
    }
    const key = { headers: { 'idempotency-key': 'once' } }
    const body = {
      webhooks_outgoing_endpoint: { url: receiver.url, name: 'Twice', event_type_ids: ['$contact.updated'] },
    }
    const [first, second] = [
      await tenant.api.post(endpoints(), body, key),
      await tenant.api.post(endpoints(), body, key),
    ]
    expect(second.body).to.deep.equal(first.body)
  })

  it('keep no secret and nothing personal in the log', async () => {
    const endpoint = await subscribe(['$contact.created'])
    receiver.behave((_received, response) => response.end('hello unlogged@example.com'))
    await addContact({ email_address: 'unlogged@example.com' })
    await receiver.until(1)
    const events_ = (await tenant.api.get(events())).body
    await settled(events_[0].id, 'delivered')
    let written = ''
    for await (const event of service.background.stores.log.readAll()) written += JSON.stringify(event)
    expect(written).to.include('WebhookDelivered')
    for (const hidden of [endpoint.webhook_secret, endpoint.signing_secret, 'unlogged@example.com']) {
      expect(written).to.not.include(hidden)
    }
    const [shown] = (await tenant.api.get(events())).body
    expect(shown.deliveries[0].attempts[0].response).to.equal('hello unlogged@example.com')
  })

  it('keep the answers about records of a person sealed for that person', async () => {
    await subscribe(['$orders.invoice_created'])
    receiver.behave((_received, response) => response.end('thanks unlogged@example.com'))
    const invoice = await recordMakers['orders/invoice']!.make(tenant)
    const { order_id } = (await tenant.api.get(`/orders/invoices/${invoice}`)).body
    const { contact_id } = (await tenant.api.get(`/orders/${order_id}`)).body
    await receiver.until(1)
    const [event] = (await tenant.api.get(events())).body
    await settled(event.id, 'delivered')
    let written = ''
    for await (const one of service.background.stores.log.readAll()) written += JSON.stringify(one)
    expect(written).not.to.include('unlogged@example.com')
    await tenant.api.delete(`/contacts/${contact_id}/gdpr_destroy`)
    const { body } = await tenant.api.get(`/webhooks/outgoing/events/${event.id}`)
    expect(body.deliveries[0].attempts[0].response).to.equal(null)
  })

  it('know the names of the contract, and answer under them', async () => {
    await subscribe(['contact.created', 'contacts/applied_tag.created'])
    const tag = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/tags`, {
      contacts_tag: { name: 'VIP' },
    })
    const contact = await addContact({ tag_ids: [tag.body.id] })
    await receiver.until(2)
    expect(receiver.received.map(({ json }) => [json.event_type, json.subject_type])).to.deep.equal([
      ['contact.created', 'Contact'],
      ['contacts/applied_tag.created', 'Contacts::AppliedTag'],
    ])
    const { data } = receiver.received[1]!.json
    expect(data.contact.id).to.equal(contact.id)
    expect(data.tag.name).to.equal('VIP')
  })

  it('have the name in the log under which their endpoints ask for them, and are found by either', async () => {
    const logged = async (name: string) => {
      const { body } = await tenant.api.get(`${events()}?filter[event_type_id]=${name}`)
      return body.map((one: { event_type_id: string }) => one.event_type_id)
    }
    const endpoint = await subscribe(['contact.created'])
    await addContact()
    await receiver.until(1)
    expect(await logged('contact.created')).to.deep.equal(['contact.created'])
    expect(await logged('$contact.created')).to.deep.equal(['contact.created'])
    await subscribe(['$contact.created'])
    await addContact()
    await receiver.until(3)
    expect(await logged('contact.created')).to.deep.equal(['contact.created', '$contact.created'])
    await tenant.api.delete(`/webhooks/outgoing/endpoints/${endpoint.id}`)
    expect(await logged('$contact.created')).to.deep.equal(['$contact.created', '$contact.created'])
  })

  it('show what was removed as it last was', async () => {
    await subscribe(['$contact.tag_removed', '$sales.opportunity_deleted'])
    const tag = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/tags`, {
      contacts_tag: { name: 'Old' },
    })
    const contact = await addContact({ tag_ids: [tag.body.id] })
    await tenant.api.put(`/contacts/${contact.id}`, { contact: { tag_ids: [], first_name: 'Eve' } })
    const [delivery] = await receiver.until(1)
    expect(delivery!.json.data.tag.name).to.equal('Old')
    expect(delivery!.json.data.id).to.equal(delivery!.json.subject_id)
  })

  it('snapshot the moment of the event, not that of the delivery', async () => {
    receiver.behave(answers(500))
    await subscribe(['$contact.created'])
    const contact = await addContact({ first_name: 'Before' })
    await receiver.until(1)
    await tenant.api.put(`/contacts/${contact.id}`, { contact: { first_name: 'After' } })
    receiver.behave(answers(200))
    const all = await receiver.until(2)
    expect(all.map(({ json }) => json.data.first_name)).to.deep.equal(['Before', 'Before'])
    expect(all[1]!.headers['webhook-id']).to.equal(all[0]!.headers['webhook-id'])
    const events_ = (await tenant.api.get(events())).body
    expect(events_[0].data.first_name).to.equal('Before')
  })

  it('show a person who has been erased meanwhile as nobody', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end('sorry about ada@example.com'))
    await subscribe(['$contact.created'])
    const contact = await addContact({ email_address: 'ada@example.com' })
    await receiver.until(1)
    await tenant.api.delete(`/contacts/${contact.id}/gdpr_destroy`)
    receiver.behave(answers(200))
    const [, again] = await receiver.until(2)
    expect(again!.body).to.not.include('ada@example.com').and.not.include('"Ada"')
    const [event] = (await tenant.api.get(events())).body
    expect(JSON.stringify(event)).to.not.include('ada@example.com')
    expect(event.deliveries[0].attempts[0]).to.deep.include({ status: 500, response: null })
  })

  it('are tried again, each attempt signed afresh, and every attempt is written down', async () => {
    const statuses = [500, 302, 404]
    receiver.behave((_received, response) => {
      response
        .writeHead(statuses.shift() ?? 204, { location: '/elsewhere' })
        .end(statuses.length > 1 ? 'oh no' : undefined)
    })
    const endpoint = await subscribe(['$contact.created'])
    await addContact()
    const [first, second] = await receiver.until(2)
    expect(second!.at - first!.at).to.be.at.least(950)
    expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id'])
    new Webhook(endpoint.signing_secret).verify(second!.body, second!.headers as Record<string, string>)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const [event] = (await tenant.api.get(events())).body
    expect(event.deliveries[0]).to.deep.include({ endpoint_id: endpoint.id, status: 'pending' })
    expect(event.deliveries[0].attempts.map((one: { status: number }) => one.status)).to.deep.equal([500, 302])
    expect(event.deliveries[0].attempts[0].response).to.equal('oh no')
    // Fifteen seconds after the attempt was written down, and a tenth at most.
    const [, tried] = event.deliveries[0].attempts
    expect(Date.parse(event.deliveries[0].next_attempt_at) - Date.parse(tried.at)).to.be.within(14_000, 18_000)
  })

  it('are delivered in order for one subject, and delayed only for that one', async () => {
    const [held, free] = [await addContact({ first_name: 'Held' }), await addContact({ first_name: 'Free' })]
    const isHeld = (received: Received) => received.json.subject_id === held.id
    let refusals = 1
    receiver.behave((received, response) => {
      if (isHeld(received) && refusals-- > 0) response.writeHead(500).end()
      else response.end()
    })
    await subscribe(['$contact.updated', '$contact.deleted'])
    for (let i = 0; i < 5; i++) {
      for (const { id } of [held, free]) await tenant.api.put(`/contacts/${id}`, { contact: { first_name: `v${i}` } })
    }
    await tenant.api.delete(`/contacts/${held.id}`)
    const freed = await receiver.until(5, (received) => !isHeld(received))
    expect(receiver.received.filter(isHeld)).to.have.length(1)
    expect(freed.map(({ json }) => json.data.first_name)).to.deep.equal(['v0', 'v1', 'v2', 'v3', 'v4'])
    const late = await receiver.until(7, isHeld)
    expect(late.map(({ json }) => json.data.first_name)).to.deep.equal(['v0', 'v0', 'v1', 'v2', 'v3', 'v4', 'v4'])
    expect(late.at(-1)!.json.event_type).to.equal('$contact.deleted')
    const sequences = late.map(({ json }) => json.sequence)
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b))
  })

  it('keep the opportunity, the stage that it left and its closing apart', async () => {
    await subscribe(['$sales.opportunity_moved_stage', '$sales.opportunity_closed', '$sales.contact_exited_stage'])
    const contact = await addContact({ email_address: 'buyer@example.com' })
    const pipeline = (
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/sales/pipelines`, {
        sales_pipeline: {
          name: 'P',
          stages_attributes: [
            { name: 'New', close_probability: 20 },
            { name: 'Won', close_probability: 100 },
          ],
        },
      })
    ).body
    const [fresh, won] = pipeline.stages
    const fields = { name: 'Deal', pipelines_stage_id: fresh.id, primary_contact_id: contact.id }
    const made = await tenant.api.post(`/workspaces/${tenant.workspaceId}/sales/opportunities`, {
      sales_opportunity: fields,
    })
    const { body: moved } = await tenant.api.put(`/sales/opportunities/${made.body.id}`, {
      sales_opportunity: { pipelines_stage_id: won.id },
    })
    const all = await receiver.until(3)
    expect(all.map(({ json }) => json.event_type)).to.have.members([
      '$sales.opportunity_moved_stage',
      '$sales.opportunity_closed',
      '$sales.contact_exited_stage',
    ])
    for (const { json } of all) expect(json.data).to.deep.equal(moved)
    const move = all.find(({ json }) => json.event_type === '$sales.opportunity_moved_stage')
    expect(move!.json.details).to.deep.equal({ from_stage_id: fresh.id, to_stage_id: won.id })
  })

  it('can be pinged, redelivered, disabled and recovered', async () => {
    const endpoint = await subscribe(['$contact.created'])
    const path = `/webhooks/outgoing/endpoints/${endpoint.id}`
    expect((await tenant.api.post(`${path}/ping`)).status).to.equal(200)
    const [ping] = await receiver.until(1, ofType('$webhook.ping'))
    expect(ping!.json.data).to.include({ id: endpoint.id, url: receiver.url })

    await addContact()
    const [one] = await receiver.until(1, ofType('$contact.created'))
    const created = (await tenant.api.get(`${events()}?filter[event_type_id]=$contact.created`)).body
    await settled(created[0].id, 'delivered')
    expect((await tenant.api.post(`/webhooks/outgoing/events/${created[0].id}/redeliver`)).status).to.equal(200)
    const [, again] = await receiver.until(2, ofType('$contact.created'))
    expect(again!.json.event_id).to.equal(one!.json.event_id)

    await tenant.api.put(path, { webhooks_outgoing_endpoint: { enabled: false } })
    const missed = await addContact({ first_name: 'Missed' })
    const deadline = Date.now() + 5000
    let log = (await tenant.api.get(events())).body
    while (log.length < 3 && Date.now() < deadline) log = (await tenant.api.get(events())).body
    expect(log.at(-1).deliveries[0]).to.include({ status: 'abandoned', abandoned_because: 'endpoint_disabled' })
    const range = { webhooks_outgoing_redelivery: { from: missed.created_at } }
    expect((await tenant.api.post(`${path}/redeliver`, range)).status).to.equal(422)
    await tenant.api.put(path, { webhooks_outgoing_endpoint: { enabled: true } })
    expect((await tenant.api.post(`${path}/redeliver`, range)).status).to.equal(200)
    const [recovered] = await receiver.until(1, ({ json }) => json.data.first_name === 'Missed')
    expect(recovered!.json.subject_id).to.equal(missed.id)
  })

  it('recover a stretch of time for an endpoint that was not there', async () => {
    await subscribe(['$contact.created'])
    for (const first_name of ['One', 'Two', 'Three']) await addContact({ first_name })
    await receiver.until(3)
    const late = await startReceiver()
    const fields = { url: late.url, name: 'Late', event_type_ids: ['$contact.created'] }
    const { body } = await tenant.api.post(endpoints(), { webhooks_outgoing_endpoint: fields })
    const range = { webhooks_outgoing_redelivery: { from: '2020-01-01T00:00:00Z' } }
    await tenant.api.post(`/webhooks/outgoing/endpoints/${body.id}/redeliver`, range)
    const recovered = await late.until(3)
    expect(recovered.map(({ json }) => json.data.first_name)).to.have.members(['One', 'Two', 'Three'])
    expect(receiver.received).to.have.length(3)
    await late.close()
  })

  it('sign with both secrets while one is being rotated', async () => {
    const endpoint = await subscribe(['$contact.created'])
    const rotated = (await tenant.api.post(`/webhooks/outgoing/endpoints/${endpoint.id}/rotate_secret`)).body
    expect(rotated.signing_secret).to.not.equal(endpoint.signing_secret)
    await addContact()
    const [{ body, headers }] = (await receiver.until(1)) as [Received]
    const signed = headers as Record<string, string>
    for (const { signing_secret } of [endpoint, rotated]) new Webhook(signing_secret).verify(body, signed)
    expect(signed['webhook-signature']!.split(' ')).to.have.length(2)
  })

  it('sign with every secret that is valid when one was rotated twice, and only with the present one once they are ended', async () => {
    const endpoint = await subscribe(['$contact.created'])
    const path = `/webhooks/outgoing/endpoints/${endpoint.id}`
    const [second, third] = [
      (await tenant.api.post(`${path}/rotate_secret`)).body,
      (await tenant.api.post(`${path}/rotate_secret`)).body,
    ]
    await addContact()
    const [{ body, headers }] = (await receiver.until(1)) as [Received]
    for (const { signing_secret } of [endpoint, second, third])
      new Webhook(signing_secret).verify(body, headers as Record<string, string>)
    const ended = await tenant.api.post(`${path}/end_former_secrets`)
    expect(ended.status).to.equal(200)
    expect(ended.body).not.to.have.property('signing_secret')
    await addContact()
    const later = (await receiver.until(2))[1]!
    new Webhook(third.signing_secret).verify(later.body, later.headers as Record<string, string>)
    for (const { signing_secret } of [endpoint, second])
      expect(() => new Webhook(signing_secret).verify(later.body, later.headers as Record<string, string>)).to.throw(
        'signature',
      )
  })

  it('stop at once for an endpoint that is gone, and tell the others', async () => {
    const witness = await startReceiver()
    const fields = { url: witness.url, name: 'Witness', event_type_ids: ['$webhook.endpoint_disabled'] }
    await tenant.api.post(endpoints(), { webhooks_outgoing_endpoint: fields })
    receiver.behave(answers(410))
    const endpoint = await subscribe(['$contact.created'])
    await addContact()
    const [told] = await witness.until(1)
    expect(told!.json.details).to.deep.equal({ reason: 'gone' })
    expect(told!.json.data).to.include({ id: endpoint.id, enabled: false, disabled_reason: 'gone' })
    await addContact()
    const { body } = await tenant.api.get(`/webhooks/outgoing/endpoints/${endpoint.id}`)
    expect(body).to.include({ enabled: false, disabled_reason: 'gone' })
    expect(receiver.received).to.have.length(1)
    await witness.close()
  })

  it('pause for an endpoint as long as it asks', async () => {
    let refused = 0
    receiver.behave((_received, response) => {
      if (refused++ === 0) response.writeHead(429, { 'retry-after': '3' }).end()
      else response.end()
    })
    await subscribe(['$contact.created'])
    await addContact()
    await receiver.until(1)
    await addContact()
    const all = await receiver.until(3)
    expect(all[1]!.at - all[0]!.at).to.be.greaterThan(2900)
  })

  it('go only to endpoints of the same workspace', async () => {
    await subscribe(['$contact.created'])
    const other = await service.tenant()
    await other.api.post(`/workspaces/${other.workspaceId}/contacts`, { contact: { first_name: 'Stranger' } })
    await addContact({ first_name: 'Own' })
    await receiver.until(1)
    expect(receiver.received.map(({ json }) => json.data.first_name)).to.deep.equal(['Own'])
  })

  it('refuse unknown types and addresses that cannot be called', async () => {
    const attempt = async (fields: object) =>
      tenant.api.post(endpoints(), {
        webhooks_outgoing_endpoint: {
          url: 'https://example.com/',
          name: 'X',
          event_type_ids: ['$contact.created'],
          ...fields,
        },
      })
    for (const event_type_ids of [['$contact.exploded'], ['order.exploded'], [5], ['$webhook.ping']]) {
      expect((await attempt({ event_type_ids })).status, String(event_type_ids)).to.equal(422)
    }
    for (const url of ['ftp://example.com/', 'example.com', 'http://user:pass@example.com/']) {
      expect((await attempt({ url })).body.details[0].field, url).to.equal('webhooks_outgoing_endpoint.url')
    }
    for (const event_type_ids of [[], undefined]) {
      const { status, body } = await attempt({ event_type_ids })
      expect(status).to.equal(422)
      expect(body.details[0]).to.include({ field: 'webhooks_outgoing_endpoint.event_type_ids', code: 'blank' })
    }
  })

  it('are scoped to pages and funnels that are there, by either form of id', async () => {
    const inWorkspace = `/workspaces/${tenant.workspaceId}`
    const page = (await tenant.api.post(`${inWorkspace}/pages`, { page: { name: 'P' } })).body
    const funnel = (await tenant.api.post(`${inWorkspace}/funnels`, { funnel: { name: 'F' } })).body
    const scoped = await subscribe(['$contact.created'], { page_ids: [page.public_id], funnel_ids: [funnel.id] })
    expect(scoped).to.deep.include({ page_ids: [page.id], funnel_ids: [funnel.id] })
    const path = `/webhooks/outgoing/endpoints/${scoped.id}`
    const change = async (fields: object) => tenant.api.put(path, { webhooks_outgoing_endpoint: fields })
    expect((await change({ funnel_ids: [funnel.public_id], page_ids: [] })).body).to.deep.include({
      page_ids: null,
      funnel_ids: [funnel.id],
    })
    const other = await service.tenant()
    const foreign = (await other.api.post(`/workspaces/${other.workspaceId}/pages`, { page: { name: 'P' } })).body
    for (const page_ids of [[foreign.id], [2_000_000_000], [page.id, foreign.public_id]]) {
      const { status, body } = await change({ page_ids })
      expect(status, String(page_ids)).to.equal(422)
      expect(body.error).to.match(/^Request unprocessable: Page ids contain ids not found in this workspace: \d+$/)
    }
  })

  it('list every type that can be subscribed to', async () => {
    const { body } = await tenant.api.get('/webhooks/outgoing/event_types')
    const ids = body.map(({ id }: { id: string }) => id)
    expect(ids).to.include.members(['$contact.created', '$contact.tag_applied', '$sales.opportunity_moved_stage'])
    expect(ids).to.not.include('$webhook.ping')
    // One key of the contract has no dot.
    for (const { id, topic } of body) expect(id.replace('$', '').split('.')[0], id).to.equal(topic)
    expect((await subscribe(ids)).event_type_ids).to.deep.equal(ids)
  })

  it('list the whole catalogue of the contract, and say what nothing causes yet', async () => {
    const { body } = await tenant.api.get('/webhooks/outgoing/event_types')
    const entry = (wanted: string) => body.find(({ id }: { id: string }) => id === wanted)
    const keys = Object.values(CONTRACT_KEYS).flatMap(Object.keys)
    expect(keys).to.have.length(84)
    expect(body.map(({ id }: { id: string }) => id)).to.include.members(keys)
    expect(entry('order.deleted')).to.include({ topic: 'order', alias: null, active: false })
    expect(entry('contact.created')).to.include({ topic: 'contact', alias: '$contact.created', active: true })
    expect(entry('$contact.created')).to.include({ topic: 'contact', alias: 'contact.created', active: true })
  })
})
