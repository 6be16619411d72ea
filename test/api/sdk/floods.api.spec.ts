import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf, type SdkFunnel, sdkFunnel, submitOf, visit } from '../../support/sdk-pages.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

describe('a flood of calls', () => {
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

  it('13b 49: with one token stops at the limit, and visitors of the same page elsewhere are counted', async () => {
    const { id, pages } = await sdkFunnel(tenant, ['https://one-token.example/a'])
    const page = pages[0]!
    const call = callOf(service)
    const flood = Array.from({ length: 400 }, () => call('/visits', page, visit(), from('203.0.113.66')))
    const visitors = Array.from({ length: 50 }, (_, n) => call('/visits', page, visit(), from(`198.51.100.${n}`)))
    expect(new Set((await Promise.all(visitors)).map(({ status }) => status))).to.deep.equal(new Set([200]))
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).to.deep.equal(new Set([200, 429]))
    await service.caughtUp()
    const [first] = ok(await tenant.api.get(`/funnels/${id}/stats?expand[]=steps`)).steps
    expect(first.views_all).to.equal(50 + statuses.filter((status) => status === 200).length)
  })
})

describe('many visitors behind one address', () => {
  const VISITORS = 500
  let service: TestService
  let tenant: Tenant

  before(async () => {
    // The limit that an operator has who sets none.
    service = await startTestService({ MILLRACE_PUBLIC_RATE_LIMIT: '', MILLRACE_BEHIND_PROXY: '1' })
    tenant = await service.tenant()
  })

  it('13b 49: are all counted within a minute, and all can submit', async () => {
    const { id, pages } = await sdkFunnel(tenant, ['https://office.example/a', 'https://office.example/b'])
    const page = pages[0]!
    const office = { 'x-forwarded-for': '203.0.113.50' }
    const call = callOf(service)
    const submit = submitOf(service)
    const visitor = async (index: number) => {
      const visited = await call('/visits', page, visit(), office)
      const { session } = visited.body
      const { nonce } = (await call('/nonce', page, { session }, office)).body
      const sent = await submit(page, { nonce, session }, [['email', `guest-${index}@office.example`]], office)
      return [visited.status, sent.status]
    }
    const answers: Promise<number[]>[] = []
    const until = Date.now() + 60_000
    // They come over a quarter of the minute.
    for (let index = 0; index < VISITORS; index++) {
      answers.push(visitor(index))
      await sleep(25)
    }
    expect(new Set((await Promise.all(answers)).map(String))).to.deep.equal(new Set(['200,302']))
    expect(Date.now()).to.be.below(until)
    await service.caughtUp()
    const [first] = ok(await tenant.api.get(`/funnels/${id}/stats?expand[]=steps`)).steps
    expect(first).to.include({ views_all: VISITORS, views_unique: VISITORS, optins: VISITORS })
  })
})
