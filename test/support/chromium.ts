import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { BROWSER } from './hosts.ts'

export const CHROMIUM = '/usr/bin/chromium'

/** Whether this machine has the browser of the browser tests. */
export const hasChromium = existsSync(CHROMIUM)

/** Why the tests in a browser are skipped, if they are. */
export const WHY_NOT = hasChromium ? undefined : `there is no browser at ${CHROMIUM}`

/** What the browser of the tests calls itself: without a window it would be a program, which nothing counts. */
export const AS_PERSON = `--user-agent=${BROWSER}`

interface Form {
  /** Keeps pages in memory when they are left, as the browsers of visitors do. */
  readonly keepsPages?: boolean
}

const KEEPS_NONE = '--disable-back-forward-cache'

const launch = ({ keepsPages = false }: Form): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', AS_PERSON, '--host-resolver-rules=MAP * 127.0.0.1'],
    ignoreDefaultArgs: keepsPages ? [KEEPS_NONE] : [],
  })

/** One browser of each form for all suites of this process, with which it ends. */
const launched = new Map<boolean, Browser>()

const browserOf = async (form: Form): Promise<Browser> => {
  const key = form.keepsPages === true
  const running = launched.get(key)
  if (running?.isConnected()) return running
  const started = await launch(form)
  launched.set(key, started)
  return started
}

/**
 * Starts a browser for which all names are those of this machine. Its process is that of other suites too, and what it opens is in contexts of its own, which
 * share nothing with theirs: closing it closes these.
 */
export const startChromium = async (form: Form = {}): Promise<Browser> => {
  const browser = await browserOf(form)
  const own = new Set<BrowserContext>()
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    own.add(context)
    context.once('close', () => own.delete(context))
    return context
  }
  const newPage: Browser['newPage'] = async (options) => {
    const context = await newContext(options)
    const page = await context.newPage()
    page.once('close', () => void context.close())
    return page
  }
  const close = async () => {
    await Promise.all([...own].map((context) => context.close()))
  }
  const instead = new Map<PropertyKey, unknown>(
    Object.entries({ newContext, newPage, contexts: () => [...own], close }),
  )
  return new Proxy(browser, { get: (target, name) => instead.get(name) ?? Reflect.get(target, name) })
}
