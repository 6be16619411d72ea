import { expect } from 'chai'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const ORIGIN = 'https://shop.example'

describe('GET /init of a page', () => {
  let service: TestService
  let tenant: Tenant
  let funnelId: number
  let token: string
  const URL_OF_PAGE = `${ORIGIN}/offer.html`

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const funnels = `/workspaces/${tenant.workspaceId}/funnels`
    funnelId = (await tenant.api.post(funnels, { funnel: { name: 'Mugs' } })).body.id
    const page = { external_url: URL_OF_PAGE, funnel: { funnel_id: funnelId } }
    token = (await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages/external`, { page })).body.sdk.token
  })

  const init = async (url: string, origin: string | undefined = ORIGIN, pageToken = token) => {
    const query = new URLSearchParams({ sdk_page_token: pageToken, url })
    const response = await fetch(`${service.sdkUrl}/init?${query}`, { headers: origin ? { origin } : {} })
    return { response, status: response.status, body: JSON.parse(await response.text()) }
  }
  const goLive = (live_mode: boolean) => tenant.api.put(`/funnels/${funnelId}`, { funnel: { live_mode } })

  it('answers the page at its registered address, whatever its query (case 11)', async () => {
    const { status, body, response } = await init(`${URL_OF_PAGE}?utm_source=x`)
    expect([status, body.ok, body.mode, body.in_funnel]).to.deep.equal([200, true, 'test', true])
    expect(body.registered_url).to.equal(URL_OF_PAGE)
    expect(response.headers.get('cache-control')).to.equal('private, max-age=120')
    expect(response.headers.get('vary')).to.equal('Origin')
    expect(response.headers.get('access-control-allow-origin')).to.equal(ORIGIN)
  })

  it('is a preview elsewhere, while the funnel is in test mode', async () => {
    const { body } = await init('http://localhost:5173/offer', 'http://localhost:5173')
    expect([body.ok, body.mode]).to.deep.equal([true, 'preview'])
    expect((await init('file:///home/ann/offer.html', 'null')).body.mode).to.equal('preview')
  })

  it('refuses, readably, another address of a live funnel (case 10)', async () => {
    await goLive(true)
    try {
      expect((await init(URL_OF_PAGE)).body.mode).to.equal('live')
      for (const url of [`${ORIGIN}/offer`, `${ORIGIN}/offer.html/`, `${ORIGIN}/Offer.html`]) {
        const { status, body, response } = await init(url)
        expect([status, body.ok, body.error.code], url).to.deep.equal([403, false, 'url_mismatch'])
        expect(response.headers.get('access-control-allow-origin')).to.equal(ORIGIN)
        expect(response.headers.get('cache-control')).to.equal('private, max-age=120')
      }
    } finally {
      await goLive(false)
    }
  })

  it('refuses a wrong or missing origin, an unknown token and what is no address', async () => {
    const codes = [
      await init(URL_OF_PAGE, 'https://evil.example'),
      await fetch(`${service.sdkUrl}/init?sdk_page_token=${token}&url=${encodeURIComponent(URL_OF_PAGE)}`).then(
        async (response) => ({ status: response.status, body: JSON.parse(await response.text()) }),
      ),
      await init(URL_OF_PAGE, ORIGIN, `cfp_${'x'.repeat(24)}`),
      await init('javascript:alert(1)'),
    ].map(({ status, body }) => `${status} ${body.error.code}`)
    expect(codes).to.deep.equal(['403 origin_mismatch', '403 origin_missing', '404 unknown_token', '400 bad_request'])
  })
})
