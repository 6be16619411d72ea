import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findings } from './axe.ts'

const MOST_TABS = 60

/** Returns what has the focus: its text, or the name of a field. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement.name || document.activeElement.textContent || "").trim()')

/** Presses Tab until what has a text, or the field of that name, has the focus. */
export const tabTo = async (page: Page, text: string): Promise<void> => {
  const passed: string[] = []
  for (let times = 0; times < MOST_TABS; times++) {
    await page.keyboard.press('Tab')
    const found = await focused(page)
    if (found === text) return
    passed.push(found)
  }
  throw new Error(`no way by the keyboard to “${text}” among ${passed.join(', ')}`)
}

/** Follows a link or presses a button by the keyboard, and waits for the next page. */
export const press = async (page: Page, text: string): Promise<void> => {
  await tabTo(page, text)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

/** Types into a field that is reached by the keyboard. */
export const fill = async (page: Page, field: string, text: string): Promise<void> => {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Expects that axe-core finds nothing on a page in both schemes of colours, and that it has these scripts alone, by their paths. */
export const expectAccessible = async (page: Page, scripts: readonly string[] = []): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findings(page), `${page.url()} ${colorScheme}`).to.deep.equal([])
  }
  expect(await page.evaluate('[...document.scripts].map((one) => one.getAttribute("src"))')).to.deep.equal(scripts)
}

export const headingOf = (page: Page): Promise<string> => page.locator('h1').innerText()
