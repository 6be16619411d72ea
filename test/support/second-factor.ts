import { Secret, TOTP } from 'otpauth'
import type { AccountBrowser } from './account.ts'
import { Authenticator } from './authenticator.ts'
import { fieldsIn } from './member.ts'

const TURN_ON = '/account/security/codes'
const STEP_MS = 30_000

/** Returns the app that the key of a page is typed into. */
export const appOf = (page: string): TOTP => {
  const [, key = ''] = /<dd><code>([A-Z2-7 ]+)<\/code>/.exec(page) ?? []
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
}

/** Returns the code of an app so many steps after a time. */
export const codeAfter = (app: TOTP, at: number, steps: number): string =>
  app.generate({ timestamp: at + steps * STEP_MS })

/** App with its codes turned on, and the recovery codes that were shown. */
export interface Codes {
  readonly app: TOTP
  /** The code that turned codes on. */
  readonly first: string
  /** The next one, which may be used at once. */
  readonly next: string
  readonly recovery: readonly string[]
}

/** Turns codes on in a browser that is signed in. */
export const turnOnCodes = async (browser: AccountBrowser): Promise<Codes> => {
  const page = await browser.get(TURN_ON)
  const app = appOf(page.text)
  const at = Date.now()
  const first = codeAfter(app, at, 0)
  const answer = await browser.post(TURN_ON, { ...fieldsIn(page.text, TURN_ON), code: first })
  if (answer.status !== 200) throw new Error(`turning codes on was answered with ${answer.status}`)
  const recovery = [...answer.text.matchAll(/<li><code>([\w-]+)<\/code><\/li>/g)].map(([, code = '']) => code)
  return { app, first, next: codeAfter(app, at, 1), recovery }
}

/** Returns what the script of a page gives to the browser. */
export const optionsIn = (page: string): { readonly challenge: string; readonly rpId?: string } => {
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(page) ?? []
  return JSON.parse(options.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

const ADD = '/account/security/passkeys'

type Said = Parameters<Authenticator['create']>[2]

/** Adds a passkey in a browser that is signed in. @returns the answer, and the passkey */
export const addPasskey = async (browser: AccountBrowser, said: Said = {}, name = 'Phone') => {
  const page = await browser.get('/account/security')
  const key = new Authenticator()
  const options = optionsIn(page.text) as Parameters<Authenticator['create']>[0]
  const made = JSON.stringify(key.create(options, `http://${browser.host}`, said))
  return { key, answer: await browser.post(ADD, { ...fieldsIn(page.text, ADD), name, answer: made }) }
}

/** Signs in by a passkey. @returns the answer, and what was sent */
export const signInBy = async (browser: AccountBrowser, key: Authenticator, said: Said = {}) => {
  const page = await browser.get('/sign-in')
  const answer = JSON.stringify(key.get(optionsIn(page.text), `http://${browser.host}`, said))
  return { sent: answer, answer: await browser.post('/sign-in/passkey', { answer }) }
}
