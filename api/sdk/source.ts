import { pageNodes } from '../../domain/funnels/public.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import { beginningOf } from '../../domain/kernel/values/characters.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { page } from '../../domain/pages/page/model.ts'
import type { UTM } from '../../domain/visits/public.ts'
import { remembering } from '../http/remembering.ts'
import type { FoundPage } from './page-of.ts'
import type { SdkService } from './service.ts'

const LONGEST_NAME = 255
const LONGEST_REFERRER = 2048

/** Hosts of payment providers, to which buyers go and from which they come back. */
const PAYMENT_HOSTS = [
  'stripe.com',
  'stripe.network',
  'rebilly.com',
  'paymentsai.com',
  'paypal.com',
  'klarna.com',
  'afterpay.com',
  'adyen.com',
  'mollie.com',
  'link.com',
  'cardinalcommerce.com',
  'arcot.com',
]

/** Decodes a part of a query as forms do. What cannot be decoded stays as it is. */
const decoded = (text: string): string => {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

const cleaned = (text: string): string | null =>
  beginningOf(
    text
      .replaceAll(/\p{Cc}/gu, '')
      .toWellFormed()
      .trim(),
    LONGEST_NAME,
  ) || null

/** Returns the campaign in the query of a landing page. Of several values the first counts. */
export const campaignIn = (search: string): Record<(typeof UTM)[number], string | null> => {
  const found = new Map<string, string>()
  for (const part of search.replace(/^\?/, '').split('&')) {
    const at = part.indexOf('=')
    const name = at < 0 ? '' : decoded(part.slice(0, at)).toLowerCase()
    if (name.startsWith('utm_') && !found.has(name)) found.set(name, decoded(part.slice(at + 1)))
  }
  const word = (name: string) => cleaned(found.get(name) ?? '')
  return {
    utm_source: word('utm_source'),
    utm_medium: word('utm_medium'),
    utm_campaign: word('utm_campaign'),
    utm_term: word('utm_term'),
    utm_content: word('utm_content'),
  }
}

const hostOf = remembering(
  (url) =>
    url.length <= LONGEST_REFERRER && URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).hostname : undefined,
  { most: 2000, longest: LONGEST_REFERRER },
)

/** Returns the host of an address; `undefined` for what has none. */
const hostIn = (url: string | null): string | undefined => (url === null ? undefined : hostOf(url))

const ofSteps = new WeakMap<object, Promise<ReadonlySet<string>>>()

const loadStepHosts = async ({ step, ...place }: FoundPage, service: SdkService): Promise<ReadonlySet<string>> => {
  const nodes = step ? pageNodes(step.funnel.tree) : []
  const pages = await readerOver(boundTo(service.everywhere, place)).many(
    page,
    nodes.map(({ page_id }) => page_id),
  )
  return new Set(pages.flatMap(({ external_url }) => hostIn(external_url) ?? []))
}

/** Returns the hosts of the steps of a page's funnel. The funnel is read anew when it or a page changes. */
const stepHosts = (found: FoundPage, service: SdkService): Promise<ReadonlySet<string>> => {
  if (!found.step) return loadStepHosts(found, service)
  const { funnel } = found.step
  const known = ofSteps.get(funnel) ?? loadStepHosts(found, service)
  ofSteps.set(funnel, known)
  return known
}

const isPayment = (host: string): boolean => PAYMENT_HOSTS.some((one) => host === one || host.endsWith(`.${one}`))

/** Where a visitor came from. */
export interface Source extends JsonObject {
  readonly referrer: string | null
  readonly referring_domain: string | null
}

const NOWHERE: Source = { referrer: null, referring_domain: null }

/** Returns where a visitor came from. The page's own site under all of its names, steps of its funnel, the SDK's host and payment providers are no source. */
export const sourceOf = async (referrer: string, found: FoundPage, service: SdkService): Promise<Source> => {
  const host = hostIn(referrer)
  if (host === undefined) return NOWHERE
  const own = [found.url, found.registeredUrl, ...found.origins, service.sdkUrl()].map(hostIn)
  if (own.includes(host) || isPayment(host) || (await stepHosts(found, service)).has(host)) return NOWHERE
  return { referrer: referrer.toWellFormed(), referring_domain: host.replace(/^www\./, '').slice(0, LONGEST_NAME) }
}
