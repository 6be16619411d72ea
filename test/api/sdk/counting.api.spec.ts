import { expect } from 'chai'
import { parseStream } from '../../../domain/kernel/values/stream-name.ts'
import { ok } from '../../support/client.ts'
import { callOf, sdkFunnel, submitOf, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const SHOWN = { browser: 'Chrome', os: 'Windows', device_type: 'desktop', referring_domain: 'news.example' }

describe('what decides whether a view counts', () => {
  let service: TestService
  let tenant: Tenant
  let call: ReturnType<typeof callOf>
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    call = callOf(service)
  })

  const eventsOf = async (after: number) => {
    const found = []
    for await (const event of service.background.stores.log.readAll({ after }))
      if (event.stream.startsWith('visits/session-')) found.push(event)
    return found
  }
  const statsOf = async (id: number, mode = '') => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/funnels/${id}/stats?expand[]=steps${mode}`)).steps[0]
  }

  it('13b 46: is stored in clear with it at receipt, and so is what is shown of it', async () => {
    const { pages } = await sdkFunnel(tenant, ['https://clear.example/a'])
    const after = await service.background.stores.log.lastPosition()
    await call('/visits', pages[0]!, visit({ referrer: 'https://news.example/story?id=7' }))
    const [began, view] = await eventsOf(after)
    expect(began!.data).to.include({ ...SHOWN, bot: false, live_mode: true })
    expect(view!.data).to.include({ bot: false, live_mode: true, consent: true })
    // Address, user agent and the whole referrer are sealed.
    expect(JSON.stringify([began!.data, view!.data])).not.to.match(/127\.0\.0\.1|Mozilla|story/)
  })

  it('13b 46: is not taken from what is sealed: when the visitor is erased, every number stays', async () => {
    const { id, pages } = await sdkFunnel(tenant, ['https://gone.example/a', 'https://gone.example/b'])
    const page = pages[0]!
    const after = await service.background.stores.log.lastPosition()
    const { session } = (await call('/visits', page, visit({ referrer: 'https://news.example/story' }))).body
    const [began] = await eventsOf(after)
    const { nonce } = (await call('/nonce', page, { session })).body
    await submitOf(service)(page, { nonce, session }, [['email', 'gone@clear.example']])
    await waitUntilSettled(service)
    const before = await statsOf(id)
    expect(before).to.include({ views_all: 1, views_unique: 1, optins: 1 })
    const path = `/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=gone@clear.example`
    const [contact] = ok(await tenant.api.get(path))
    expect(contact.visits.first_visit).to.include({ ...SHOWN, ip: '127.0.0.1' })
    ok(await tenant.api.delete(`/contacts/${contact.id}/gdpr_destroy`))
    await waitUntilSettled(service)
    expect(await statsOf(id)).to.deep.equal(before)
    const erased = await service.background.stores.readModels.live.get('visits/session', parseStream(began!.stream).id)
    expect(erased).to.include({ ...SHOWN, erased: true })
    expect(JSON.stringify(erased)).not.to.match(/127\.0\.0\.1|Mozilla|story/)
  })

  it('13b 46: is what it was then: robots, previews and test mode', async () => {
    const { id, pages } = await sdkFunnel(tenant, ['https://modes.example/a'], false)
    const page = pages[0]!
    const robot = { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' }
    await call('/visits', page, visit(), robot)
    await call('/visits', page, visit())
    const after = await service.background.stores.log.lastPosition()
    const elsewhere = { ...page, url: 'https://preview.example/a', origin: 'https://preview.example' }
    expect((await call('/visits', elsewhere, visit())).body).to.deep.equal({ ok: true })
    expect(await eventsOf(after)).to.deep.equal([])
    ok(await tenant.api.put(`/funnels/${id}`, { funnel: { live_mode: true } }))
    await service.caughtUp()
    expect(await statsOf(id)).to.include({ views_all: 0, views_unique: 0 })
    expect(await statsOf(id, '&live_mode=false')).to.include({ views_all: 1, views_unique: 1 })
  })
})
