import { expect } from 'chai'
import { testService } from '../../support/service.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

describe('the token of a hosted page', () => {
  let site: HostedSite
  let token: string
  let path: string
  before(async () => {
    site = await hostedSite(await testService())
    const funnel = await site.funnel('Token')
    const { url } = await site.step(funnel.id, '/step', { markup: saying('Step') })
    path = new URL(url).pathname
    token = /cf-page-token" content="([^"]+)"/.exec((await site.get(path)).text)![1]!
  })
  const init = async (origin: string) => {
    const query = new URLSearchParams({ sdk_page_token: token, url: origin + path })
    const answer = await fetch(`${site.service.sdkUrl}/init?${query}`, { headers: { origin } })
    return (await answer.json()) as { readonly ok: boolean; readonly mode: string }
  }

  it('names it to the SDK, at the address where it is served', async () => {
    expect(await init(`http://${site.host}`)).to.include({ ok: true, mode: 'test' })
  })

  it('names it under the name of the machine too', async () => {
    expect(await init('http://localhost')).to.include({ ok: true, mode: 'test' })
    expect(await init('http://localhost:3000')).to.include({ ok: true, mode: 'preview' })
  })
})
