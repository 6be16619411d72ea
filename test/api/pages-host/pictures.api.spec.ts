import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { hasChromium, startChromium } from '../../support/chromium.ts'
import { ok } from '../../support/client.ts'
import { freePort } from '../../support/free-port.ts'
import { square } from '../../support/servers/image-server.ts'
import { startTestService } from '../../support/service.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

describe('pictures of other hosts in hosted pages', () => {
  let server: Server
  let origin: string
  let site: HostedSite
  let port: number
  let asked: string[] = []
  before(async () => {
    const png = await square(30).png().toBuffer()
    server = createServer(({ url = '' }, response) => {
      asked.push(url)
      if (url.startsWith('/missing')) response.writeHead(404).end()
      else if (url.startsWith('/text')) response.end('no picture')
      else response.setHeader('content-type', 'image/png').end(png)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    port = await freePort()
    const service = await startTestService({ MILLRACE_PUBLIC_PORT: String(port) })
    service.background.outbound.exempt(origin)
    site = await hostedSite(service)
  })
  beforeEach(() => {
    asked = []
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const images = async () => ok(await site.tenant.api.get(`/workspaces/${site.tenant.workspaceId}/images`))
  const written = async (id: number, markup: string) =>
    ok(await site.tenant.api.put(`/pages/${id}?expand[]=markup`, { page: { markup } }))
  const shown = async (path: string) => (await site.get(path)).text

  it('13b 25: are fetched once, when the markup is written, and served as copies', async () => {
    const before = (await images()).length
    const picture = `${origin}/mug.png?size=large`
    const markup = `<section bgimage="${origin}/back.png"><row><column><image src="${picture}" alt="A mug"/><image src="${picture}"/></column></row></section>`
    const { id } = await site.standalone('/pictures', { markup })
    expect(asked.toSorted()).to.deep.equal(['/back.png', '/mug.png?size=large'])
    const page = ok(await site.tenant.api.get(`/pages/${id}?expand[]=markup`))
    expect(page.markup).to.equal(markup)
    expect(page.pictures.map(({ src, problem }: { src: string; problem: null }) => [src, problem])).to.deep.equal([
      [`${origin}/back.png`, null],
      [picture, null],
    ])
    const made = (await images()).slice(before)
    expect(made.map(({ name }: { name: string }) => name).toSorted()).to.deep.equal(['back.png', 'mug.png'])
    const html = await shown('/pictures')
    expect(html).not.to.include(origin)
    const [, back] = /background-image:url\((?:&quot;)?(\/images\/[\w/-]+)/.exec(html)!
    const [, mug] = /<img[^>]* src="([^"]+)"/.exec(html)!
    for (const path of [back!, mug!]) {
      const copy = await site.get(path)
      expect([copy.status, copy.headers['content-type']]).to.deep.equal([200, 'image/png'])
    }
    expect((await site.get('/pictures')).headers['content-security-policy']).to.include("img-src 'self' data:;")
    asked = []
    const again = await written(id, `${markup}<paragraph>More</paragraph>`)
    expect(again.pictures).to.deep.equal(page.pictures)
    expect(asked).to.deep.equal([])
    expect((await images()).length).to.equal(before + 2)
  })

  it('13b 25: that cannot be fetched are left out and listed with the reason, and tried again with the next write', async () => {
    const sources = [`${origin}/missing.png`, `${origin}/text.png`, 'http://127.0.0.1:9/inside.png', '//127.0.0.1:9/x']
    const markup = saying('Hi', sources.map((src, index) => `<image src="${src}" alt="Picture ${index}"/>`).join(''))
    const { id } = await site.standalone('/broken', { markup })
    const { pictures } = ok(await site.tenant.api.get(`/pages/${id}?expand[]=markup`))
    expect(pictures.map(({ src }: { src: string }) => src)).to.deep.equal(sources)
    const says = [/could not be fetched: the answer is 404/, /is not an image/, /could not be fetched/, /fetched/]
    for (const [index, { image_id, problem }] of pictures.entries()) {
      expect(image_id).to.equal(null)
      expect(problem).to.match(says[index]!)
    }
    const html = await shown('/broken')
    expect(html).not.to.include('<img').and.not.to.include('127.0.0.1:9')
    expect(html).to.include('role="img" aria-label="Picture 0"')
    asked = []
    await written(id, markup)
    expect(asked.toSorted()).to.deep.equal(['/missing.png', '/text.png'])
  })

  it('13b 25: are not fetched for markup that is refused, nor for paths and images of the workspace', async () => {
    const { id } = await site.standalone('/refused', { markup: '' })
    const { status } = await site.tenant.api.put(`/pages/${id}`, {
      page: { markup: `<image src="${origin}/a.png"/><x/>` },
    })
    expect(status).to.equal(400)
    const image = { upload_source_url: `${origin}/own.png` }
    const own = ok(await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/images`, { image }))
    asked = []
    const { pictures } = await written(id, saying('Hi', `<image src="${own.url}"/><image src="/images/none.png"/>`))
    expect(pictures).to.deep.equal([{ src: own.url, image_id: own.id, problem: null }])
    expect(asked).to.deep.equal([])
    expect(await shown('/refused')).to.include(`src="${new URL(own.url).pathname}/x-large"`)
    expect((await site.tenant.api.delete(`/images/${own.id}`)).status).to.equal(204)
    const without = ok(await site.tenant.api.get(`/pages/${id}?expand[]=markup`))
    expect(without.pictures[0]).to.include({ image_id: null })
    expect(await shown('/refused')).not.to.include(new URL(own.url).pathname)
  })

  it('13b 25: no page asks another host, in a browser', async function () {
    if (!hasChromium) this.skip()
    const markup = `<section bgimage="${origin}/b.png"><row><column><headline>Hi</headline><image src="${origin}/c.png"/><image src="${origin}/missing.png" alt="Gone"/></column></row></section>`
    await site.standalone('/seen', { markup })
    asked = []
    const browser: Browser = await startChromium()
    const page = await browser.newPage()
    const hosts = new Set<string>()
    const problems: string[] = []
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`http://${site.host}:${port}/seen`)
    await page.waitForFunction('document.images[0].complete && document.images[0].naturalWidth === 30')
    expect(
      [...hosts].filter((host) => host !== site.host && host !== new URL(site.service.sdkUrl).hostname),
    ).to.deep.equal([])
    expect(problems).to.deep.equal([])
    expect(asked).to.deep.equal([])
    await browser.close()
  })
})
