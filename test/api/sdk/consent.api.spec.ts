import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf, random, type SdkPage, sdkFunnel, submitOf, viewed, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('visitors without consent', () => {
  let service: TestService
  let tenant: Tenant
  let call: ReturnType<typeof callOf>

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    call = callOf(service)
  })

  const funnelAt = async (host: string) => {
    const { id, pages } = await sdkFunnel(tenant, [`https://${host}.example/a`, `https://${host}.example/b`])
    const numbers = async () => {
      await service.caughtUp()
      const { summary, steps } = ok(await tenant.api.get(`/funnels/${id}/stats?expand[]=steps`))
      return { summary, step: steps[0] }
    }
    return { page: pages[0]!, numbers }
  }
  const begins = async (page: SdkPage, consent: boolean): Promise<string> =>
    (await call('/visits', page, visit({}, consent))).body.session
  const optsIn = async (page: SdkPage, session: string) => {
    const { nonce } = (await call('/nonce', page, { session })).body
    const sent = await submitOf(service)(page, { nonce, session }, [['email', `${random().toLowerCase()}@x.test`]])
    expect(sent.status).to.equal(302)
  }

  it('13a 29: are never one visitor: views count, sessions and rates leave them out, and their number is said', async () => {
    const { page, numbers } = await funnelAt('unseen')
    const [first] = [await begins(page, false), await begins(page, false), await begins(page, false)]
    await call('/visits', page, { session: first, consent: false, visit: viewed({ number: 2 }) })
    const empty = await numbers()
    expect(empty.step).to.include({ views_all: 4, views_unique: 0, views_without_consent: 4, optin_rate: 0 })
    await optsIn(page, await begins(page, true))
    await begins(page, true)
    const { step, summary } = await numbers()
    expect(step).to.include({ views_all: 6, views_unique: 2, views_without_consent: 4, optins: 1, optin_rate: 0.5 })
    expect(summary).to.include({ pageviews: 6, pageviews_without_consent: 4 })
    await optsIn(page, first)
    expect((await numbers()).step.optin_rate).to.be.within(0, 1)
  })

  it('13b 48: are one session from the view on with which they consent, and no view counts twice', async () => {
    const { page, numbers } = await funnelAt('later')
    const session = await begins(page, false)
    expect((await numbers()).step).to.include({ views_all: 1, views_unique: 0, views_without_consent: 1 })
    const sent = { session, consent: true, visitor: random(), visit: viewed({ number: 2 }) }
    for (const body of [sent, sent, { ...sent, visit: viewed({ number: 3 }) }])
      expect((await call('/visits', page, body)).body).to.deep.equal({ ok: true })
    const { step, summary } = await numbers()
    expect(step).to.include({ views_all: 3, views_unique: 1, views_without_consent: 1 })
    expect(summary).to.include({ pageviews: 3, pageviews_without_consent: 1 })
  })
})
