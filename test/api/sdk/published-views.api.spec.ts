import { expect } from 'chai'
import { callOf, type SdkFunnel, sdkFunnel, viewed, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('Views of pages as public events', () => {
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel
  let call: ReturnType<typeof callOf>

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    funnel = await sdkFunnel(tenant, ['https://seen.example/a'])
    call = callOf(service)
    const endpoint = { url: 'https://receiver.example/hook', name: 'Views', event_type_ids: ['$view', '$optin'] }
    const { status } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/webhooks/outgoing/endpoints`, {
      webhooks_outgoing_endpoint: endpoint,
    })
    expect(status).to.equal(201)
  })

  it('are one for each view that counts, with its page and funnel', async () => {
    const page = funnel.pages[0]!
    await call('/visits', page, visit({}, false))
    const { session } = (await call('/visits', page, visit())).body
    await call('/visits', page, { session, consent: true, visit: viewed({ number: 2 }) })
    const list = `/workspaces/${tenant.workspaceId}/webhooks/outgoing/events?sort_order=asc`
    const until = performance.now() + 20_000
    let events = (await tenant.api.get(list)).body
    while (events.length < 2 && performance.now() < until) events = (await tenant.api.get(list)).body
    expect(events).to.have.length(2)
    for (const event of events) {
      expect(event).to.deep.include({ event_type_id: '$view', subject_type: 'Visits::Session' })
      expect([event.page.id, event.funnel.id]).to.deep.equal([page.id, funnel.id])
      expect(event.data).to.deep.include({ consent: true, landing_page: page.url })
    }
  })
})
