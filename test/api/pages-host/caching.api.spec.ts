import { expect } from 'chai'
import { askHost } from '../../support/hosts.ts'
import { testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

describe('the caching of hosted pages', () => {
  let site: HostedSite
  let workspace: string
  before(async () => {
    site = await hostedSite(await testService())
    workspace = `/workspaces/${site.tenant.workspaceId}`
  })

  /** Expects that a change shows at once, and that the tag of the page changes with it. */
  const shows = async (path: string, change: () => Promise<unknown>, text: string) => {
    const before = await site.get(path)
    expect(before.status).to.equal(200)
    expect(before.text, text).not.to.include(text)
    await change()
    const after = await site.get(path, { headers: { 'if-none-match': before.headers.etag! } })
    expect([text, after.status]).to.deep.equal([text, 200])
    expect(after.text).to.include(text)
    expect(after.headers.etag).not.to.equal(before.headers.etag)
    expect((await site.get(path, { headers: { 'if-none-match': after.headers.etag! } })).status).to.equal(304)
  }

  it('10: shows a write at once, and lets nobody keep a page unasked', async () => {
    const { id } = await site.standalone('/live', { markup: saying('Before') })
    const put = (fields: object) => async () => createdBody(await site.tenant.api.put(`/pages/${id}`, { page: fields }))
    const { headers } = await site.get('/live')
    expect(headers['cache-control']).to.equal('no-cache')
    expect(headers.etag).to.match(/^W\/"[\w-]{22}"$/)
    await shows('/live', put({ markup: saying('After') }), 'After')
    await shows('/live', put({ head_code: '<meta name="own" content="1">' }), '<meta name="own" content="1"></head>')
    await shows('/live', put({ footer_code: '<p>The end</p>' }), '<p>The end</p></body>')
    await shows('/live', put({ custom_css: '.x{color:red}' }), '<style>.x{color:red}</style>')
    await shows('/live', put({ seo_title: 'Found' }), '<title>Found</title>')
    await shows('/live', put({ seo_description: 'Short' }), '<meta name="description" content="Short">')
  })

  it('11: drops a page when any of its parts changes', async () => {
    const { api } = site.tenant
    const funnel = await site.funnel('Parts')
    const product = createdBody(await api.post(`${workspace}/products`, { product: { name: 'Mug' } }))
    const price = createdBody(
      await api.post(`/products/variants/${product.default_variant_id}/prices`, {
        products_price: { amount: '12.5', payment_type: 'one_time' },
      }),
    )
    const markup = saying('Buy', '<product-name/><product-price/><checkout/>')
    const page = await site.step(funnel.id, '/buy', { markup, show_page_step: { product_ids: [product.id] } })
    const path = new URL(page.url).pathname
    const put = (address: string, body: object) => async () => createdBody(await api.put(address, body))
    expect((await site.get(path)).text)
      .to.include('$12.50')
      .and.to.include('Mug')
    await shows(path, put(`/products/${product.id}`, { product: { name: 'Cup' } }), 'Cup')
    await shows(path, put(`/products/prices/${price.id}`, { products_price: { amount: '13' } }), '$13.00')
    await shows(path, put(`/funnels/${funnel.id}`, { funnel: { head_code: '<!-- funnel -->' } }), '<!-- funnel -->')
    await shows(path, put(`${workspace}/site`, { site: { footer_code: '<!-- site -->' } }), '<!-- site -->')
    const [theme] = createdBody(await api.get(`${workspace}/themes`))
    const dark = theme.styles.find(({ name }: { name: string }) => name === 'Dark')
    await shows(path, put(`/themes/${theme.id}`, { theme: { current_style_id: dark.id } }), 'class="style-dark"')
    const zone = `<section><row><column><countdown date="2030-01-01" time="12:00:00"/></column></row></section>`
    createdBody(await api.put(`/pages/${page.id}`, { page: { markup: zone } }))
    await shows(path, put(workspace, { workspace: { time_zone: 'Asia/Tokyo' } }), '2030-01-01T03:00:00Z')
  })

  it('14: keeps the tag through compression', async () => {
    await site.standalone('/large', { markup: saying('Large') })
    const plain = await site.get('/large')
    for (const encoding of [undefined, 'gzip', 'br']) {
      const answer = await site.get('/large', { headers: { ...(encoding && { 'accept-encoding': encoding }) } })
      expect(answer.headers['content-encoding']).to.equal(encoding)
      expect([answer.text, answer.headers.etag, answer.headers.vary]).to.deep.equal([
        plain.text,
        plain.headers.etag,
        'Accept-Encoding',
      ])
      for (const tag of [answer.headers.etag!, answer.headers.etag!.slice(2), `"other", ${answer.headers.etag}`, '*']) {
        const headers = { 'if-none-match': tag, ...(encoding && { 'accept-encoding': encoding }) }
        const known = await site.get('/large', { headers })
        expect([tag, known.status, known.bytes.length]).to.deep.equal([tag, 304, 0])
        expect(known.headers.vary).to.equal('Accept-Encoding')
      }
      expect((await site.get('/large', { headers: { 'if-none-match': '"other"' } })).status).to.equal(200)
    }
    const refused = await site.get('/large', { headers: { 'accept-encoding': 'br;q=0, gzip;q=0.5' } })
    expect(refused.headers['content-encoding']).to.equal('gzip')
  })

  it('15: answers 304 with the policy of the page, which has no nonce', async () => {
    const first = await site.get('/large')
    const again = await site.get('/large', { headers: { 'if-none-match': first.headers.etag! } })
    expect(again.headers['content-security-policy']).to.equal(first.headers['content-security-policy'])
    expect(first.headers['content-security-policy']).not.to.include('nonce')
    expect(first.text).not.to.match(/<script(?![^>]*\bsrc=)/)
  })

  /** Replaces the look-ups of the page at a path while something is done. @returns how often it was looked up */
  const whileLookedUp = async (path: string, lookUp: () => unknown, action: () => Promise<void>): Promise<number> => {
    const { live } = site.service.background.stores.readModels
    const find = live.find.bind(live)
    let lookUps = 0
    live.find = async (collection, query) => {
      if (collection === 'page' && String(query.where.path_key).endsWith(path)) {
        lookUps++
        await lookUp()
      }
      return find(collection, query)
    }
    try {
      await action()
    } finally {
      live.find = find
    }
    return lookUps
  }
  const statusesOf = async (path: string, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => site.get(path)))
    return [...new Set(answers.map(({ status }) => status))]
  }
  const none = () => undefined

  it('13b 17: makes one page for 500 requests at the same moment, also after a drop', async () => {
    const { id } = await site.standalone('/busy', { markup: saying('Busy') })
    const ask = async (): Promise<void> => {
      expect(await statusesOf('/busy', 500)).to.deep.equal([200])
    }
    expect(await whileLookedUp('/busy', none, ask)).to.equal(1)
    createdBody(await site.tenant.api.put(`/pages/${id}`, { page: { markup: saying('Busier') } }))
    expect(await whileLookedUp('/busy', none, ask)).to.equal(1)
    expect((await site.get('/busy')).text).to.include('Busier')
  })

  it('13b 17: keeps no page that fails: the next request tries again', async () => {
    await site.standalone('/broken', { markup: saying('Whole') })
    const fail = () => Promise.reject(new Error('the file cannot be read'))
    const failing = await whileLookedUp('/broken', fail, async () => {
      expect(await statusesOf('/broken', 20)).to.deep.equal([500])
      expect(await statusesOf('/broken', 20)).to.deep.equal([500])
    })
    expect(failing, 'again after the first had failed').to.be.at.least(2)
    expect(await statusesOf('/broken', 20)).to.deep.equal([200])
  })

  it('13b 17: lets nobody wait without end, and tries again after that', async () => {
    await site.standalone('/stuck', { markup: saying('Free') })
    const forever = () => new Promise<void>(() => undefined)
    const stuck = await whileLookedUp('/stuck', forever, async () => {
      expect(await statusesOf('/stuck', 20)).to.deep.equal([503])
    })
    expect(stuck).to.equal(1)
    expect(await statusesOf('/stuck', 20)).to.deep.equal([200])
  })

  it('6: serves the pages of the only workspace under the name of the machine', async () => {
    const { startTestService } = await import('../../support/service.ts')
    const alone = await hostedSite(await startTestService())
    await alone.standalone('/hello', { markup: saying('Hello') })
    const get = (path: string) => askHost(alone.service.publicUrl, 'localhost:4001', path)
    expect((await get('/hello')).text).to.include('Hello')
    await alone.service.tenant()
    expect((await get('/hello')).status).to.equal(404)
  })
})
