import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'

/** Whether this machine has the browser of the browser tests. */
export const hasChromium = existsSync(CHROMIUM)

/** Why the tests in a browser are skipped, if they are. */
export const WHY_NOT = hasChromium ? undefined : `there is no browser at ${CHROMIUM}`

/** Starts a browser for which all names are those of this machine. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * 127.0.0.1'],
  })
