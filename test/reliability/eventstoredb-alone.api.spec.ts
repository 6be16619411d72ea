import { expect } from 'chai'
import { startOwnLog } from '../servers/own-log.ts'
import { ok } from '../support/client.ts'
import { allDocuments, countOf, expectSameDocuments, withoutErased } from '../support/documents.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { broadcastTraffic } from '../support/traffic/broadcast-traffic.ts'
import { courseTraffic } from '../support/traffic/course-traffic.ts'
import { funnelTraffic } from '../support/traffic/funnel-traffic.ts'
import { mailingTraffic } from '../support/traffic/mailing-traffic.ts'
import { orderTraffic } from '../support/traffic/order-traffic.ts'
import { pageSaleTraffic } from '../support/traffic/page-sale-traffic.ts'
import { contactTraffic, salesTraffic } from '../support/traffic/traffic.ts'
import { visitTraffic } from '../support/traffic/visit-traffic.ts'
import { webhookTraffic } from '../support/traffic/webhook-traffic.ts'
import { workflowTraffic } from '../support/traffic/workflow-traffic.ts'
import { patience } from './form.ts'
import { describeKilled } from './kills/killed-while-writing.ts'

const AT_ONCE = 8

const TRAFFIC: readonly ((tenant: Tenant, service: TestService) => Promise<unknown>)[] = [
  ...[contactTraffic, salesTraffic, mailingTraffic, funnelTraffic, orderTraffic, visitTraffic, pageSaleTraffic],
  ...[webhookTraffic, workflowTraffic, broadcastTraffic, courseTraffic],
]

describe('a service beside EventStoreDB alone', function () {
  this.timeout(patience)
  let log: Awaited<ReturnType<typeof startOwnLog>>
  let service: TestService
  before(async () => {
    log = await startOwnLog('alone-log')
    service = await startTestService({ EVENTSTOREDB_URL: log.url, MONGODB_URL: '' })
  })
  after(() => log?.stop())

  it('answers what was written, to each who writes at once', async () => {
    const { api, workspaceId } = await service.tenant()
    const products = `/workspaces/${workspaceId}/products`
    const make = () => api.post(products, { product: { name: 'Tea', currency: 'USD' } })
    const made = (await Promise.all(Array.from({ length: AT_ONCE }, make))).map(ok)
    expect(new Set(made.map(({ current_path }) => current_path)).size).to.equal(AT_ONCE)
    for (const one of made) {
      expect(ok(await api.put(`/products/${one.id}`, { product: { name: `Tea ${one.id}` } })).name).to.equal(
        `Tea ${one.id}`,
      )
      expect(ok(await api.get(`/products/${one.id}`))).to.include({ id: one.id, name: `Tea ${one.id}` })
    }
    const listed: readonly { readonly id: number }[] = ok(await api.get(`${products}?sort_order=asc`))
    expect(listed.map(({ id }) => id)).to.deep.equal(made.map(({ id }) => id).sort((a, b) => a - b))
  })

  it('has the documents of a rebuild, after writes, processes and an erasure', async () => {
    const tenant = await service.tenant({ test: true })
    for (const traffic of TRAFFIC) await traffic(tenant, service)
    await waitUntilSettled(service)
    const { readModels, vault } = service.background.stores
    // One of the visitors of the traffic is erased.
    const documents = async () => withoutErased(await allDocuments(readModels.live), vault)
    const before = await documents()
    expect(countOf(before)).to.be.greaterThan(300)
    await service.background.rebuild(() => undefined)
    expectSameDocuments(await documents(), before)
  })
})

describeKilled('a service beside EventStoreDB alone, killed while it writes', async () => {
  const log = await startOwnLog('killed-log')
  return { settings: { EVENTSTOREDB_URL: log.url }, stop: () => log.stop() }
})
