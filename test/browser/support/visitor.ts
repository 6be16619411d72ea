import type { BrowserContext, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../../support/chromium.ts'
import { type FakeSdk, startFakeSdk } from './fake-sdk.ts'

export interface PageParts {
  readonly token?: string
  readonly head?: string
  readonly body?: string
  /** How the SDK's script is included. */
  readonly script?: string
  /** Policy of the page; empty for none. By default the strictest that the SDK works with. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What the console said. */
  readonly said: string[]
  /** What was thrown into the page. */
  readonly errors: string[]
  /** Opens `host/path?…`. */
  open(address: string): Promise<void>
}

export interface Browsing {
  readonly sdk: FakeSdk
  /** Writes a page at `host/path`. */
  write(address: string, parts?: PageParts): void
  /** A new browser profile. */
  visit(prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Visitor>
  close(): Promise<void>
}

export const TOKEN = 'cfp_AAAAAAAAAAAAAAAAAAAAAAAA'
export const OTHER = 'cfp_BBBBBBBBBBBBBBBBBBBBBBBB'

export const OPT_IN = `<form><label>Email <input type="email" data-cf-element="email"></label>
<label>First name <input data-cf-element="first-name"></label><button type="submit">Join</button></form>`

/** Writes pages that fake hosts show, with a strict policy. */
export const writerTo = (sdk: FakeSdk): Browsing['write'] => {
  const policy = `default-src 'none'; script-src ${sdk.url} 'unsafe-inline'; connect-src ${sdk.url}; form-action ${sdk.url}`
  return (address, parts = {}) => {
    const { token = TOKEN, head = '', body = OPT_IN, headers = {} } = parts
    const script = parts.script ?? `<script defer src="${sdk.url}/sdk.js"></script>`
    const meta = token && `<meta name="cf-page-token" content="${token}">`
    const html = `<!doctype html><html lang="en"><head><title>Page</title>${meta}${head}${script}</head><body>${body}</body></html>`
    sdk.show(address, { html, headers: { 'Content-Security-Policy': parts.policy ?? policy, ...headers } })
  }
}

const startBrowsing = async (): Promise<Browsing> => {
  const sdk = await startFakeSdk()
  // Visitors have pages that are kept, so they are tested with them.
  const browser = await startChromium({ keepsPages: true })
  const write = writerTo(sdk)
  const visit: Browsing['visit'] = async (prepare) => {
    const context = await browser.newContext()
    await prepare?.(context)
    const page = await context.newPage()
    const said: string[] = []
    const errors: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    const open = async (address: string) => {
      const [host, ...rest] = address.split('/')
      await page.goto(`http://${host}:${sdk.port}/${rest.join('/')}`)
    }
    return { context, page, said, errors, open }
  }
  return {
    sdk,
    write,
    visit,
    close: async () => {
      await browser.close()
      await sdk.close()
    },
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Opens a browser for the suite that it is called in, and lets its fakes begin anew before each test. */
export const useBrowsing = (): Omit<Browsing, 'close'> => {
  let browsing: Browsing
  before(async function () {
    if (WHY_NOT) this.skip()
    browsing = await startBrowsing()
  })
  after(() => browsing?.close())
  beforeEach(() => browsing.sdk.reset())
  return {
    get sdk() {
      return browsing.sdk
    },
    write: (address, parts) => browsing.write(address, parts),
    visit: (prepare) => browsing.visit(prepare),
  }
}
