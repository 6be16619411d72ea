import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Koa from 'koa'
import { scripts } from '../../../api/sdk/script.ts'

const BUILT = path.join(import.meta.dirname, '../../../sdk')

/** A call of the SDK, as the server saw it. */
export interface SeenCall {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin: string | undefined
  readonly type: string | undefined
  readonly referrer: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared, never used
  readonly body: any
}

/** What the server answers: an object, `refuse` to break the connection, or a status with a text. */
export type Reply = object | 'refuse'
export type Handler = (call: SeenCall) => Reply | Promise<Reply>

/** A request for anything, as a server sees it. */
export interface SeenRequest {
  /** Host, path and query. */
  readonly address: string
  readonly referrer: string
}

export interface FakePage {
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface FakeSdk {
  readonly port: number
  /** Address of the SDK's host. */
  readonly url: string
  readonly calls: SeenCall[]
  /** Everything that was asked for, of pages as well. */
  readonly requests: SeenRequest[]
  /** Bodies of the calls of a path. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  asked(path: string): any[]
  /** Answers a path in another way. */
  answer(path: string, handler: Handler): void
  /** Shows a page at `host/path`. */
  show(address: string, page: FakePage | string): void
  /** Code of the checkout's chunk: `mount` and what it needs. */
  mount: string
  reset(): void
  close(): Promise<void>
}

export const INIT = {
  ok: true,
  mode: 'live',
  in_funnel: true,
  registered_url: 'http://shop.test/',
  space: 'w1',
  checkout: null as object | null,
  offer: false,
  catalog: { products: [] as object[], bumpProducts: [] as object[] },
}

const textOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const bodyOf = (text: string, isForm: boolean): unknown => {
  if (!isForm) return text === '' ? undefined : JSON.parse(text)
  const fields = Object.fromEntries(new URLSearchParams(text))
  return { ...fields, data: JSON.parse(fields.data ?? 'null') }
}

/** Answers by the protocol of docs/sdk.md, without any checks. */
const protocol = (): Record<string, Handler> => {
  let count = 0
  return {
    '/init': () => INIT,
    '/visits': ({ body }) => (body.session ? { ok: true } : { ok: true, session: `secret-${++count}` }),
    '/trade': ({ body }) => ({ ok: true, session: `traded-${body.ticket}` }),
    '/prefill': () => ({ ok: true, fields: {} }),
    '/nonce': () => ({ ok: true, nonce: `nonce-${++count}` }),
    '/submit': () => ({ redirect: '/next/signed' }),
  }
}

/** Serves the pages of tests; the SDK's host is left to what follows. */
const pagesOf =
  (pages: ReadonlyMap<string, FakePage>): Koa.Middleware =>
  async (ctx, next) => {
    if (ctx.path === '/favicon.ico') {
      // Browsers ask for it when they like, and say in the console that there is none.
      ctx.status = 204
      return
    }
    if (ctx.hostname === 'sdk.test' && !ctx.path.startsWith('/next/')) return next()
    const page =
      pages.get(ctx.hostname + ctx.path) ?? (ctx.path.startsWith('/next/') ? { html: '<p>Next</p>' } : undefined)
    if (!page) return
    ctx.set({ 'Cache-Control': 'no-cache', 'Content-Type': 'text/html', ...page.headers })
    ctx.body = page.html
  }

/** Serves the chunk of the checkout with what a test mounts, on top of what was compiled. */
const checkoutOf =
  (mount: () => string): Koa.Middleware =>
  async (ctx, next) => {
    const [, raw] = /^\/raw\/([\w/-]+\.js)$/.exec(ctx.path) ?? []
    const isCheckout = /^\/sdk\/checkout.*\.js$/.test(ctx.path) && mount() !== ''
    if (!raw && !isCheckout) return next()
    ctx.set('Access-Control-Allow-Origin', '*')
    ctx.type = 'js'
    ctx.body = raw
      ? await readFile(path.join(BUILT, raw))
      : `import { chunkOf } from '/raw/shop/main.js'\n${mount()}\nexport const open = chunkOf(mount)`
  }

/** Answers calls, and writes them down. */
const callsOf =
  (calls: SeenCall[], handlerOf: (path: string) => Handler | undefined): Koa.Middleware =>
  async (ctx) => {
    const handle = handlerOf(ctx.path)
    if (!handle) return
    const type = ctx.get('Content-Type')
    const call = {
      path: ctx.path,
      query: ctx.URL.searchParams,
      origin: ctx.get('Origin') || undefined,
      type,
      referrer: ctx.get('Referer') || undefined,
      body: bodyOf(await textOf(ctx.req), type.includes('urlencoded')),
    }
    calls.push(call)
    const reply = await handle(call)
    ctx.set({ 'Access-Control-Allow-Origin': ctx.get('Origin') || '*', Vary: 'Origin' })
    ctx.set('Cache-Control', ctx.path === '/init' ? 'private, max-age=120' : 'no-store')
    if (reply === 'refuse') ctx.req.socket.destroy()
    else if ('redirect' in reply && ctx.path === '/submit') ctx.redirect(String(reply.redirect))
    else {
      if ('ok' in reply && reply.ok === false) ctx.status = 403
      ctx.body = reply
    }
  }

/** Serves the SDK as it was built, its protocol, and the pages of tests, told apart by their hosts. */
export const startFakeSdk = async (): Promise<FakeSdk> => {
  const calls: SeenCall[] = []
  const requests: SeenRequest[] = []
  const pages = new Map<string, FakePage>()
  let handlers = protocol()
  const app = new Koa()
  app.silent = true
  app.use((ctx, next) => {
    requests.push({ address: ctx.host + ctx.url, referrer: ctx.get('Referer') })
    return next()
  })
  app.use(pagesOf(pages))
  app.use(checkoutOf(() => fake.mount))
  app.use(scripts(BUILT) as unknown as Koa.Middleware)
  app.use(callsOf(calls, (path) => handlers[path]))
  const server = createServer(app.callback())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fake: FakeSdk = {
    port,
    url: `http://sdk.test:${port}`,
    calls,
    requests,
    asked: (path) => calls.filter((call) => call.path === path).map(({ body }) => body),
    answer: (path, handler) => {
      handlers[path] = handler
    },
    show: (address, page) => void pages.set(address, typeof page === 'string' ? { html: page } : page),
    mount: '',
    reset: () => {
      calls.length = 0
      requests.length = 0
      handlers = protocol()
      fake.mount = ''
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}
