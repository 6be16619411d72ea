import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf, type SdkFunnel, type SdkPage, sdkFunnel, submitOf, viewed, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('Contact filters on what contacts did on pages', () => {
  let service: TestService
  let tenant: Tenant
  let call: ReturnType<typeof callOf>
  let submit: ReturnType<typeof submitOf>
  let funnel: SdkFunnel
  let other: SdkPage

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    call = callOf(service)
    submit = submitOf(service)
    funnel = await sdkFunnel(tenant, ['https://deeds.example/opt-in', 'https://deeds.example/offer'])
    ;[other] = (await sdkFunnel(tenant, ['https://deeds.example/other'])).pages as [SdkPage]
  })

  const browsing = async (...pages: readonly SdkPage[]): Promise<string> => {
    const [first, ...others] = pages
    const { session } = (await call('/visits', first!, visit())).body
    for (const page of others) await call('/visits', page, { session, consent: true, visit: viewed() })
    return session
  }
  const optIn = async (page: SdkPage, session: string, email: string): Promise<void> => {
    const { nonce } = (await call('/nonce', page, { session })).body
    expect((await submit(page, { nonce, session }, [['email', email]])).status).to.equal(302)
  }
  const filterBy = async (attribute: string, clause: string, ids: readonly number[]): Promise<number> =>
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, {
        refine_filter: { criteria: [{ attribute, clause, value: ids.map(String) }] },
      }),
    ).id
  const emailsIn = async (filterId: number): Promise<readonly string[]> => {
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?stored_filter_id=${filterId}`)
    return body.map(({ email_address }: { email_address: string }) => email_address).sort()
  }
  /** Waits for the policies that note what contacts did. */
  const soon = async (filterId: number, expected: readonly string[]): Promise<void> => {
    const until = performance.now() + 20_000
    let found = await emailsIn(filterId)
    while (found.length !== expected.length && performance.now() < until) found = await emailsIn(filterId)
    expect(found).to.deep.equal(expected)
  }

  it('find those who opted in by step, funnel and page', async () => {
    const [optInPage] = funnel.pages
    await optIn(optInPage!, await browsing(optInPage!), 'ada@deeds.example')
    await optIn(other, await browsing(other), 'bob@deeds.example')
    const { show_page_step } = (await tenant.api.get(`/pages/${optInPage!.id}`)).body
    await soon(await filterBy('opted_in_funnel_at', 'in', [funnel.id]), ['ada@deeds.example'])
    await soon(await filterBy('opted_in_funnel_step', 'eq', [show_page_step.id]), ['ada@deeds.example'])
    await soon(await filterBy('opted_in_on_standalone_page', 'eq', [other.id]), ['bob@deeds.example'])
  })

  it('find those who viewed a page, before they said who they are and after', async () => {
    const [optInPage, offer] = funnel.pages
    const before = await browsing(offer!, optInPage!)
    await optIn(optInPage!, before, 'cleo@deeds.example')
    const after = await browsing(optInPage!)
    await optIn(optInPage!, after, 'dan@deeds.example')
    const viewedOffer = await filterBy('viewed_page', 'in', [offer!.id])
    await soon(viewedOffer, ['cleo@deeds.example'])
    await call('/visits', offer!, { session: after, consent: true, visit: viewed() })
    await soon(viewedOffer, ['cleo@deeds.example', 'dan@deeds.example'])
    await soon(await filterBy('viewed_page', 'eq', [other.id]), ['bob@deeds.example'])
  })

  it('know nothing of visitors who do not consent', async () => {
    const [page] = (await sdkFunnel(tenant, ['https://deeds.example/quiet'])).pages as [SdkPage]
    const { session } = (await call('/visits', page, visit({}, false))).body
    await optIn(page, session, 'eve@deeds.example')
    await soon(await filterBy('opted_in_on_standalone_page', 'eq', [page.id]), ['eve@deeds.example'])
    expect(await emailsIn(await filterBy('viewed_page', 'eq', [page.id]))).to.deep.equal([])
  })

  it('take funnels that were viewed only where filters are made of a description', async () => {
    const { status, body } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, {
      refine_filter: { criteria: [{ attribute: 'viewed_funnel', clause: 'eq', value: [String(funnel.id)] }] },
    })
    expect(status).to.equal(422)
    expect(body.error).to.contain("criteria[0].attribute 'viewed_funnel' is not supported by the public API")
  })
})
