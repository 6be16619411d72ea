import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { callOf, random, type SdkPage, submitOf, visit } from '../../support/sdk-pages.ts'
import { line, type Offered, type SdkShop, sdkShop } from '../../support/sdk-shop.ts'
import { type TestService, testService } from '../../support/service.ts'

interface Kept {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Those of the connection are each side's own. */
const PASSED_ON = ['origin', 'content-type', 'user-agent', 'accept'] as const

/** A cache of everybody's that keeps whatever it is not forbidden to keep, by path alone, whatever was sent. */
const openSharedCache = async (target: string) => {
  const kept = new Map<string, Kept>()
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const key = `${request.method} ${request.url}`
    const body = await buffer(request)
    const fetched = async (): Promise<Kept> => {
      const headers = PASSED_ON.flatMap((name): [string, string][] => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      })
      const answer = await fetch(target + request.url, {
        method: request.method!,
        headers,
        redirect: 'manual',
        ...(body.length > 0 && { body }),
      })
      const answered = Object.fromEntries(answer.headers)
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) delete answered[name]
      return { status: answer.status, headers: answered, body: Buffer.from(await answer.arrayBuffer()) }
    }
    const reply = kept.get(key) ?? (await fetched())
    if (!/no-store|private/.test(reply.headers['cache-control'] ?? '')) kept.set(key, reply)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  const server: Server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(502).end(String(error.cause ?? error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, kept, close: () => server.close() }
}

describe("13a 22: a cache between the SDK's host and its visitors", () => {
  let service: TestService
  let shop: SdkShop
  let mug: Offered
  let cache: Awaited<ReturnType<typeof openSharedCache>>

  before(async () => {
    service = await testService()
    shop = await sdkShop(service, await service.tenant({ test: true }), 2)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    cache = await openSharedCache(service.sdkUrl)
  })
  after(() => cache.close())

  const arrives = async (page: SdkPage) => {
    const call = callOf({ sdkUrl: cache.url })
    const { session } = (await call('/visits', page, visit())).body
    return { session, call: (path: string, body: object = {}) => call(path, page, { session, ...body }) }
  }

  it('13a 22: gives nobody the answer of another visitor', async () => {
    const page = shop.pages[0]!
    const [ann, bea] = [await arrives(page), await arrives(page)]
    expect(ann.session).to.be.a('string').and.not.equal(bea.session)
    const nonces = await Promise.all([ann, bea].map(async ({ call }) => (await call('/nonce')).body.nonce))
    expect(nonces[0]).to.be.a('string').and.not.equal(nonces[1])
    const submit = submitOf({ sdkUrl: cache.url })
    for (const [index, { session }] of [ann, bea].entries()) {
      const sent = await submit(page, { nonce: nonces[index], session }, [['email', `visitor${index}@cached.test`]])
      const between = await fetch(sent.location!.replace(service.sdkUrl, cache.url))
      expect(between.headers.get('cache-control')).to.equal('no-store')
    }
    const typed = [(await ann.call('/prefill')).body.fields, (await bea.call('/prefill')).body.fields]
    expect(typed).to.deep.equal([{ email: 'visitor0@cached.test' }, { email: 'visitor1@cached.test' }])
    const totals = []
    for (const [quantity, { call }] of [ann, bea].entries()) {
      const cart = { id: random(), lines: [line(mug, quantity + 1)] }
      totals.push((await call('/checkout/state', { cart })).body.state.totals.total)
    }
    expect(totals).to.deep.equal([1250, 2500])
    const init = `/init?sdk_page_token=${page.token}&url=${encodeURIComponent(page.url)}`
    expect((await fetch(cache.url + init)).status).to.equal(403)
    expect((await fetch(cache.url + init, { headers: { origin: page.origin } })).status).to.equal(200)
    expect([...cache.kept.keys()]).to.deep.equal([])
  })

  it('13a 22: is told with every answer to a visitor, good or bad, to keep none', async () => {
    const visitor = await shop.arrives(shop.pages[0]!)
    const cart = { id: random(), lines: [line(mug)] }
    const answers: readonly (readonly [string, object])[] = [
      ...(['/prefill', '/nonce', '/offer', '/offer/decline'] as const).map((path) => [path, {}] as const),
      ['/trade', { ticket: 'none', key: random() }],
      ['/checkout/state', { cart }],
      ['/checkout/pay', { cart }],
      ['/checkout/status', { cart_id: random() }],
      ['/checkout/confirm', { cart_id: random() }],
      ['/offer/accept', {}],
      ['/visits', {}],
    ]
    for (const [path, body] of answers) {
      const { headers } = await visitor.call(path, body)
      expect(headers.get('cache-control'), path).to.match(/\bno-store\b/)
      expect(headers.get('vary'), path).to.equal('Origin')
    }
  })
})
