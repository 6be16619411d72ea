import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { type Signed, signedTexts } from '../signed-texts.ts'
import type { SdkHandler } from './calls.ts'
import { takesForms } from './page-of.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'
import type { Visitors } from './visitor.ts'

/** What authorises one submission of a form: fetched by a page under its true origin, so the navigation needs none. */
export type Nonce = {
  readonly n: string
  readonly token: string
  readonly origin: string
  /** Session; 0: none. */
  readonly s: number
  /** Milliseconds since 1970 at which it ends. */
  readonly x: number
}

/** A form is sent at once after the nonce is fetched; a slow network may take minutes. */
const LASTS_MS = 10 * 60_000

export const nonces = (secrets: Pick<Secrets, 'marks'>): Signed<Nonce> => signedTexts<Nonce>(secrets, 'nonces')

/** Gives a page the nonce for one submission. */
export const nonce = (service: SdkService, visitors: Visitors): SdkHandler => {
  const signed = nonces(service.secrets)
  return async ({ found, body, origin }) => {
    if (!takesForms(found)) throw new SdkRefusal('page_not_in_funnel', 'The page is not a step of a funnel')
    const s = visitors.idIn(body.session, found) ?? 0
    const n = randomBytes(16).toString('base64url')
    return { nonce: signed.sign({ n, token: String(found.page.token), origin, s, x: Date.now() + LASTS_MS }) }
  }
}
