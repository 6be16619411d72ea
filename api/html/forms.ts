import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { ApiContext } from '../http/context.ts'

/** Field of forms with the token of the session. */
export const FORM_TOKEN = 'form_token'

/** Creates what makes the tokens of the forms that follow from a secret. Nobody else can make them. @param purpose a storage format, which never changes */
export const formTokens =
  (purpose: string) =>
  ({ secrets }: { readonly secrets: Secrets }, secret: string): string =>
    secrets.marks(purpose, 'forms').textOf(secret)

/** Returns whether a form came with the token that it was shown with. */
export const isFormToken = (sent: string | null, token: string | undefined): boolean => {
  if (token === undefined) return false
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Whether a form comes from a page of this host, as far as the browser says. Pages without a referrer have the origin `null`. */
export const isFromHere = ({ headers, host }: ApiContext): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin === 'null' || (URL.canParse(origin) && new URL(origin).host === host)
}

export const isFormBody = ({ headers }: Pick<ApiContext, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(headers['content-type'] ?? '')
