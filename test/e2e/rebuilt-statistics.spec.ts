import { expect } from 'chai'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { ok } from '../support/client.ts'
import { allDocuments } from '../support/documents.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { type Step, type Visitors, visitorsOf } from '../support/statistics/visitors.ts'

describe('statistics beside a rebuild', function () {
  this.timeout(60_000)
  let service: TestService
  let tenant: Tenant
  let visitors: Visitors
  let funnel: number
  let steps: readonly Step[]

  before(async () => {
    service = await startTestService()
    tenant = await service.tenant()
    visitors = await visitorsOf(service, tenant)
    const made = await visitors.funnel(2)
    funnel = made.id
    steps = made.steps
  })

  const minute = (n: number): string => new Date(Date.now() - 60_000 * (2000 - n)).toISOString()
  const stats = async (): Promise<JsonObject> => {
    await service.caughtUp()
    const { timerange: _, ...numbers } = ok(await tenant.api.get(`/funnels/${funnel}/stats?expand[]=steps`))
    return numbers
  }
  const happens = async (n: number): Promise<void> => {
    const step = steps[n % 2]!
    await visitors.views(step, [minute(n), minute(n + 5)])
    if (n % 3 === 0) await visitors.submits(step, minute(n + 6))
    if (n % 4 !== 0) return
    const order = await visitors.sells(step, { at: minute(n + 7), once: '10.00', recurring: '3.00' })
    if (n % 8 === 0) await visitors.refunds(order, minute(n + 90))
  }
  const documents = async () => {
    const all = await allDocuments(service.background.stores.readModels.live)
    return Object.fromEntries(
      [...all].flatMap(([name, found]) =>
        name.startsWith('statistics/') ? [[name, [...found.values()]] as const] : [],
      ),
    )
  }

  it('are the same after it as before, on threads or in the order of the log', async () => {
    for (let n = 0; n < 24; n++) await happens(n)
    const [before, numbers] = [await documents(), await stats()]
    expect(before).to.have.all.keys('statistics/bucket', 'statistics/entry', 'statistics/order')
    expect(numbers.summary).to.include({
      pageviews: 48,
      upfront_sales: '60.00',
      recurring_sales: '18.00',
      refunds: '39.00',
    })
    for (const threads of [0, 2]) {
      await service.background.rebuild(() => undefined, threads)
      expect(await documents()).to.deep.equal(before)
      expect(await stats()).to.deep.equal(numbers)
    }
  })

  it('miss no view that arrives meanwhile, and count none twice (case 60)', async () => {
    const views = async () => Number((await stats()).summary && ((await stats()).summary as JsonObject).pageviews)
    for (const threads of [0, 1, 2]) {
      const begun = await views()
      let isDone = false
      const rebuilding = service.background
        .rebuild(() => undefined, threads)
        .finally(() => {
          isDone = true
        })
      let counted = begun
      for (let n = 0; !isDone || n < 20; n++) {
        await visitors.views(steps[n % 2]!, [minute(n)])
        counted += 1
        expect(await views()).to.equal(counted)
      }
      await rebuilding
      expect(await views()).to.equal(counted)
    }
  })
})
