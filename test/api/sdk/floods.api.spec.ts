import { expect } from 'chai'
import { callOf, type SdkFunnel, sdkFunnel, visit } from '../../support/sdk-pages.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

describe('a flood of calls', function () {
  this.timeout(30_000)
  let service: TestService
  let tenant: Tenant
  let funnel: SdkFunnel

  before(async () => {
    service = await startTestService({ MILLRACE_PUBLIC_RATE_LIMIT: '600', MILLRACE_BEHIND_PROXY: '1' })
    tenant = await service.tenant()
    funnel = await sdkFunnel(tenant, ['https://flooded.example/a'])
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })

  it('with tokens that do not exist stops at the limit of its address, and visitors elsewhere count meanwhile', async () => {
    const page = funnel.pages[0]!
    const call = callOf(service)
    const flood = Array.from({ length: 400 }, (_, n) =>
      call('/visits', { ...page, token: `cfp_${String(n).padStart(24, 'x')}` }, visit(), from('203.0.113.7')),
    )
    const visitors = Array.from({ length: 50 }, (_, n) => call('/visits', page, visit(), from(`198.51.100.${n}`)))
    const answers = await Promise.all(flood)
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404, 429]))
    expect((await Promise.all(visitors)).map(({ status }) => status)).to.deep.equal(visitors.map(() => 200))
    const late = answers.find(({ status }) => status === 429)!
    expect(late.body.error.code).to.equal('too_many_requests')
    expect(Number(late.headers.get('retry-after'))).to.be.above(0)
    expect(late.headers.get('access-control-allow-origin')).to.equal(page.origin)
  })
})
