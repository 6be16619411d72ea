import type { Answer, Init } from '../checkout-port.ts'
import type { CoreHost } from './host.ts'
import { hasConsent, type Identity, identify } from './identity.ts'
import type { Page } from './parts.ts'
import type { Ticket } from './ticket.ts'
import { openTransport, wait } from './transport.ts'

/** One load of a document. */
export interface Load {
  readonly id: string
  /** How many views of its pages have been counted. */
  views: number
  /** Given up once it has been traded. */
  ticket: Ticket | undefined
  /** By workspace: without consent there is no other memory of them. */
  readonly identities: Record<string, Identity>
}

/** Longest wait for a session: a blocker may hold back every visit. */
const PATIENCE = 3000

/** Begins a page, and calls back when the server has answered. */
export const openPage = (
  host: CoreHost,
  token: string,
  load: Load,
  signal: AbortSignal,
  opened: (page: Page) => void,
): Page => {
  const { document, location } = host
  const url = location.href.replace(/[?#].*/, '')
  let begun: Promise<unknown>

  const { request, post } = openTransport(host, { token, url, signal }, () => page.identity)

  const isReached = async (answer: Promise<Answer<object>>) => (await answer).error?.code !== 'unreachable'

  const trade = async () => {
    const { ticket } = load
    if (ticket && (await isReached(post('/trade', ticket))) && !signal.aborted) {
      ticket.drop()
      load.ticket = undefined
    }
    return !!page.identity?.session()
  }

  const open = async (since: number) => {
    const init = await request<Init>(`/init?sdk_page_token=${token}&url=${encodeURIComponent(url)}`)
    if (signal.aborted) return
    page.init = init
    if (init.ok) {
      load.identities[init.space] ??= identify(host, init.space)
      page.identity = load.identities[init.space]
      page.isKnown = trade()
      begun = page.isKnown.then(() => signal.aborted || page.view(since))
    }
    opened(page)
  }
  const page: Page = {
    token,
    url,
    signal,
    call: async <T>(path: string, body: object): Promise<Answer<T>> => {
      await Promise.race([begun, wait(host, PATIENCE)])
      const answer = await post<T>(path, body)
      if (answer.error?.code !== 'session_invalid') return answer
      // The visitor was away for so long that the session is over: this view begins another.
      await page.view(host.now())
      return post(path, body)
    },
    view: async (since) => {
      const consent = hasConsent(host)
      const visit = {
        id: host.random(),
        load: load.id,
        number: ++load.views,
        after: page.identity?.viewed(`${load.id}.${load.views}`),
        search: location.search,
        referrer: document.referrer,
      }
      const send = (keepalive: boolean) => {
        const body = {
          visitor: consent ? page.identity?.visitor() : undefined,
          consent,
          visit: { ...visit, age_ms: Math.round(host.now() - since) },
        }
        return isReached(post('/visits', body, keepalive))
      }
      // A browser refuses `keepalive` while too much of it is under way.
      if (!(await send(true))) await send(false)
    },
  }
  open(host.now())
  return page
}
