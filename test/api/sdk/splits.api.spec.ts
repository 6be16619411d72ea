import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf, random, type SdkPage, sdkFunnel, standalonePage, submitOf, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { builder } from '../../support/traffic/funnels.ts'

describe('splits between two pages', () => {
  let service: TestService
  let tenant: Tenant
  let build: ReturnType<typeof builder>

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    build = builder(tenant)
  })

  /** Splits come first in a funnel unless they name the step before them. */
  const behind = async (funnel: number, page: SdkPage) => ({
    show_page_step_id: (await build.steps(funnel)).find((step) => step.page?.id === page.id)!.show_page_step_id,
  })
  const url = (name: string) => `https://${name}.example/${random()}`

  /** Submits a form and returns the address where the visitor arrives, without the ticket. */
  const next = async (page: SdkPage, data: readonly (readonly [string, string])[], session?: string) => {
    const { nonce } = (await callOf(service)('/nonce', page, session === undefined ? {} : { session })).body
    const { location } = await submitOf(service)(page, { nonce, session }, data)
    const { headers } = await fetch(location!)
    return headers
      .get('refresh')!
      .replace(/^0; url=/, '')
      .replace(/#.*/, '')
  }
  const mail = (): readonly [string, string] => ['email', `${random().toLowerCase()}@split.test`]

  it('send those whom the filter meets one way, and everybody else the other way', async () => {
    const { id, pages } = await sdkFunnel(tenant, [url('opt')])
    const [matched, unmatched] = [await standalonePage(tenant, url('in')), await standalonePage(tenant, url('out'))]
    const filters = `/workspaces/${tenant.workspaceId}/refine_filters`
    const criteria = [{ attribute: 'first_name', clause: 'sw', value: 'Ad' }]
    const filter = ok(await tenant.api.post(filters, { refine_filter: { name: `Ads ${random()}`, criteria } }))
    await build.conditional(id, {
      ...(await behind(id, pages[0]!)),
      condition: { filter_id: filter.public_id },
      branches: [{ page_id: matched.id }, { page_id: unmatched.id }],
    })
    const page = pages[0]!
    expect(await next(page, [mail(), ['first-name', 'Ada']])).to.equal(matched.url)
    expect(await next(page, [mail(), ['first-name', 'Bob']])).to.equal(unmatched.url)
    expect(await next(page, [['first-name', 'Ada']]), 'nobody is known').to.equal(unmatched.url)
    expect(await next(matched, [mail()]), 'behind the split is nothing').to.equal(matched.url)
  })

  it('keep a visitor at one variant, and are exact at the ends (13b 32)', async () => {
    const { id, pages } = await sdkFunnel(tenant, [url('opt'), url('one')])
    const other = await standalonePage(tenant, url('other'))
    const [page, one] = [pages[0]!, pages[1]!]
    const variants = (weight: number) => [
      { page_id: one.id, weight: 100 - weight },
      { page_id: other.id, weight },
    ]
    const split = await build.test(id, { ...(await behind(id, page)), variants: variants(50) })
    const { session } = (await callOf(service)('/visits', page, visit())).body
    const [name, address] = mail()
    const first = await next(page, [[name, address]], session)
    for (let n = 0; n < 5; n++) expect(await next(page, [[name, address]], session)).to.equal(first)
    const found = new Set<string>()
    for (let n = 0; n < 30; n++) found.add(await next(page, [mail()]))
    expect([...found]).to.have.members([one.url, other.url])
    const path = `/funnels/${id}/split_test_steps/${split.id}`
    for (const [weight, all] of [
      [0, one],
      [100, other],
    ] as const) {
      ok(await tenant.api.put(path, { split_test_step: { variants: variants(weight) } }))
      for (let n = 0; n < 10; n++) expect(await next(page, [mail()])).to.equal(all.url)
    }
  })
})
