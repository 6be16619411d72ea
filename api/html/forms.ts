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

/** Where the pages are whose forms are taken. */
export interface FormsFrom {
  /** Address that is configured. A proxy in front may have changed the host of a request, but not this. */
  readonly url?: string
  /** Whether browsers say of every form where it comes from. Those from pages without a referrer have the origin `null`. */
  readonly isNamed?: boolean
}

/** Whether a form comes from a page of this host, as far as the browser says: neither another site nor another port of the host has any. */
export const isFromHere = ({ headers, host }: ApiContext, { url, isNamed = false }: FormsFrom = {}): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  if (origin === 'null') return !isNamed
  const hosts = url === undefined ? [host] : [host, new URL(url).host]
  return URL.canParse(origin) && hosts.includes(new URL(origin).host)
}

export const isFormBody = ({ headers }: Pick<ApiContext, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(headers['content-type'] ?? '')
