import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { BROWSER } from './hosts.ts'

export const CHROMIUM = '/usr/bin/chromium'

/** Whether this machine has the browser of the browser tests. */
export const hasChromium = existsSync(CHROMIUM)

/** Why the tests in a browser are skipped, if they are. */
export const WHY_NOT = hasChromium ? undefined : `there is no browser at ${CHROMIUM}`

/** What the browser of the tests calls itself: without a window it would be a program, which nothing counts. */
export const AS_PERSON = `--user-agent=${BROWSER}`

/** Starts a browser for which all names are those of this machine. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', AS_PERSON, '--host-resolver-rules=MAP * 127.0.0.1'],
  })
