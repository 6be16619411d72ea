import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Browser, Request } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { askHost } from '../support/hosts.ts'
import { hostMillrace, type Spawned } from '../support/millrace.ts'

/** Bytes of a page with all that it loads. */
const MOST = 30_000

describe('the weight of the demo pages', function () {
  this.timeout(90_000)
  let data: string
  let service: Spawned
  let api: ApiClient
  let browser: Browser
  let pages: readonly { readonly name: string; readonly url: string }[]

  before(async function () {
    if (WHY_NOT) this.skip()
    data = await mkdtemp(path.join(tmpdir(), 'millrace-weight-'))
    service = await hostMillrace(data, { MILLRACE_DEMO: '1', MILLRACE_PUBLIC_PORT: String(await freePort()) })
    api = apiClient(service.ready.origin, service.ready.api_key!)
    const workspace = `/workspaces/${service.ready.workspace_id}`
    // That is the last thing that is done to the funnel.
    await eventually(async () => {
      const [funnel] = ok(await api.get(`${workspace}/funnels`))
      expect((await api.get(`/funnels/${funnel?.id}/checkout`)).body.enabled).to.equal(true)
    })
    pages = ok(await api.get(`${workspace}/pages`))
    expect(pages.map(({ name }) => name)).to.have.members(['Letter', 'Checkout', 'Offer', 'Thanks'])
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    if (data) await rm(data, { recursive: true, force: true })
  })

  /** Opens a page in a new profile. @returns what it has asked for until nothing more came */
  const requestsOf = async (url: string): Promise<readonly Request[]> => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    const answer = await page.goto(url, { waitUntil: 'networkidle' })
    await context.close()
    expect([url, answer?.status()]).to.deep.equal([url, 200])
    return requests
  }

  /** Bytes of a body, compressed by gzip where the service does that. */
  const bytesOf = async (url: string): Promise<number> => {
    const { host, origin, pathname, search } = new URL(url)
    const local = origin.replace(/\/\/[^:]+/, '//127.0.0.1')
    const page = new URL(pages[0]!.url).origin
    const headers = { 'accept-encoding': 'gzip', origin: page }
    const { status, bytes } = await askHost(local, host, pathname + search, { headers })
    expect([url, status]).to.deep.equal([url, 200])
    return bytes.length
  }

  it('is at most 30 kB, SDK and all, and none of them asks a third party', async () => {
    for (const { name, url } of pages) {
      const requests = await requestsOf(url)
      const hosts = new Set(requests.map((request) => new URL(request.url()).host))
      expect([...hosts], name).to.have.members([new URL(url).host, new URL(service.ready.sdk).host])
      const loaded = [...new Set(requests.filter((one) => one.method() === 'GET').map((one) => one.url()))]
      const sizes = await Promise.all(loaded.map(async (one) => [new URL(one).pathname, await bytesOf(one)] as const))
      const sum = sizes.reduce((total, [, bytes]) => total + bytes, 0)
      expect(sum, `${name}: ${sizes.map(([at, bytes]) => `${at} ${bytes}`).join(', ')}`).to.be.at.most(MOST)
    }
  })
})
