import type { Browser, Page } from 'playwright-core'
import { newPerson, PASSWORD, type Person, withPassword } from '../../support/account.ts'
import type { TestService } from '../../support/service.ts'
import { fill, press } from './keyboard.ts'

/** Script of the pages that offer passkeys. */
export const SCRIPTS = ['/account/passkeys.js']

/** What the main part of a page says. */
export const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

/** Opens browsers on the accounts' pages of a service. */
export const accountPages = (service: TestService, browser: Browser) => {
  const at = (path: string): string => {
    const url = new URL(path, service.url)
    url.hostname = 'localhost'
    return url.href
  }

  const signInBy = async (page: Page, { address }: Person): Promise<void> => {
    await page.goto(at('/sign-in'))
    await fill(page, 'address', address)
    await fill(page, 'password', PASSWORD)
    await press(page, 'Sign in')
  }

  /** Opens a new browser. `failed` is what its console says, without answers that say what was wrong with a form. */
  const newPage = async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const failed: string[] = []
    page.on('console', (message) => {
      const isExpected = message.location().url.endsWith('/favicon.ico') || / 422 /.test(message.text())
      if (message.type() === 'error' && !isExpected) failed.push(message.text())
    })
    page.on('pageerror', (error) => failed.push(error.message))
    return { context, page, failed }
  }

  return {
    at,
    signInBy,
    newPage,
    /** Opens a new browser, and signs somebody in there who has a password. */
    async newSignedIn() {
      const person = await newPerson(service)
      await withPassword(service, person)
      const opened = await newPage()
      await signInBy(opened.page, person)
      return { person, ...opened }
    },
  }
}

export type AccountPages = ReturnType<typeof accountPages>
