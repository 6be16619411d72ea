import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe-core finds on a page, each with its elements. */
export const findings = async (page: Page): Promise<readonly string[]> => {
  // Evaluated, because the policy of a page may let in no scripts of others.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}
