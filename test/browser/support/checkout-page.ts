import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../../support/chromium.ts'
import { type Body, createFakeShop, type FakeShop } from './fake-shop.ts'

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

export type GatewayName = 'simulator' | 'stripe' | 'payments_ai'

export interface PageOptions {
  readonly body: string
  readonly head?: string
  readonly gateway?: GatewayName
  /** Path of the gateway's script instead of its stand-in. */
  readonly script?: string
  readonly offer?: boolean
  readonly mode?: 'live' | 'test'
  /** Whether the page really goes where the server leads it. */
  readonly follow?: boolean
}

const SCRIPTS = { simulator: undefined, stripe: '/stand-ins/stripe.js', payments_ai: '/stand-ins/framepay.js' } as const

const initOf = ({ gateway = 'simulator', script = SCRIPTS[gateway], offer = false, mode = 'test' }: PageOptions) => ({
  ok: true,
  mode,
  in_funnel: true,
  registered_url: 'http://shop.test/',
  space: 'w1',
  checkout: { gateway, key: gateway === 'simulator' ? null : 'pk_test_1', live: false, ...(script && { script }) },
  offer,
  catalog: { products: [], bumpProducts: [] },
})

const htmlOf = (options: PageOptions): string => `<!doctype html>
<html lang="en"${options.follow ? ' data-follow' : ''}>
<head><meta charset="utf-8"><title>Checkout</title>${options.head ?? ''}
<script type="application/json" id="init">${JSON.stringify(initOf(options))}</script>
<script type="module" src="/stand-ins/core.js"></script></head>
<body><main><h1>Checkout</h1>${options.body}</main></body></html>`

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

type Held = number | 'missing' | 'until let'

/** A page with the checkout on it, in a browser of its own, and the shop behind it. */
export interface OpenPage {
  readonly page: Page
  readonly shop: FakeShop
  /** Holds back files whose path has this in it, by so many milliseconds, or until they are let; 404 for `missing`. */
  hold(part: string, how: Held): void
  /** Takes back what was held: who waits for it gets it. */
  let(part: string): void
}

const createPageServer = () => {
  let options: PageOptions = { body: '' }
  let shop = createFakeShop()
  const held = new Map<string, Held>()
  const waiting = new Map<() => void, string>()

  const file = async (name: string, response: ServerResponse) => {
    const [, hold] = [...held].find(([part]) => name.includes(part)) ?? []
    if (hold === 'until let') await new Promise<void>((resolve) => waiting.set(resolve, name))
    if (typeof hold === 'number') await new Promise((resolve) => setTimeout(resolve, hold))
    const place = path.resolve(name.startsWith('/dist/') ? `.${name}` : `test/browser${name}`)
    if (hold === 'missing' || !existsSync(place)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'text/plain' }).end(readFileSync(place))
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.test')
    if (pathname.startsWith('/sdk/')) {
      const answer = await shop.answer(pathname.slice(4), JSON.parse(await textOf(request)) as Body)
      // A proxy answers for a server that is gone. A connection that breaks is repeated by Chromium itself.
      if (answer.gone) return response.writeHead(502).end('Bad gateway')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
    if (pathname.startsWith('/dist/') || pathname.startsWith('/stand-ins/')) return file(pathname, response)
    const html = pathname === '/' ? htmlOf(options) : '<!doctype html><html lang="en"><title>Next</title><h1>Next</h1>'
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  const release = (part: string) => {
    held.delete(part)
    for (const [resolve, name] of waiting) if (name.includes(part) && waiting.delete(resolve)) resolve()
  }
  return {
    server,
    held,
    release,
    begin(next: PageOptions) {
      options = next
      shop = createFakeShop()
      held.clear()
      return shop
    },
  }
}

/** Opens pages in one Chromium, each in a context of its own. */
export const createPages = async () => {
  const { server, held, release, begin } = createPageServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const browser: Browser = await startChromium()
  return {
    async open(options: PageOptions, prepare?: (opened: OpenPage) => unknown): Promise<OpenPage> {
      const shop = begin(options)
      await Promise.all(browser.contexts().map((context) => context.close()))
      const page = await (await browser.newContext()).newPage()
      page.setDefaultTimeout(60_000)
      const opened: OpenPage = {
        page,
        shop,
        hold: (part, how) => void held.set(part, how),
        let: release,
      }
      page.on('pageerror', (error) => {
        throw error
      })
      await prepare?.(opened)
      await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'domcontentloaded' })
      await page.waitForFunction('window.CfSdk !== undefined')
      return opened
    },
    async close() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Pages = Awaited<ReturnType<typeof createPages>>
