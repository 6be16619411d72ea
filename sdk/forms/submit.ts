import type { Host } from '../checkout-port.ts'
import type { Page } from '../core/parts.ts'
import type { Natives } from './natives.ts'
import { entriesOf } from './registry.ts'

/** How long a form that is sent again is the same submission. A nonce lasts longer. */
const REPEATED = 300_000

/** What was posted last, and with which nonce. */
interface Posted {
  readonly page: Page
  readonly data: string
  readonly nonce: string
  /** Session that it was sent in. */
  readonly session: string | undefined
  readonly at: number
}

/**
 * Posts submissions by leaving the page. No browser says that a navigation came to nothing (no content, Stop, "Stay"), so a form can be sent again at
 * once: what is the same as before has the nonce of before, of which the server makes one submission.
 */
export const submitter = (host: Host, { post }: Natives) => {
  const asking = new WeakSet<Page>()
  let last: Posted | undefined
  /** Returns the nonce of a submission; `undefined` where none was given, and the visitor has been told. */
  const nonceOf = async (page: Page, data: string, form: Element | undefined): Promise<string | undefined> => {
    const isOfVisitor = !last?.session || page.identity?.session() // Who withdraws consent has no part in the session any more.
    if (last && isOfVisitor && last.page === page && last.data === data && host.now() - last.at < REPEATED)
      return last.nonce
    asking.add(page)
    const answer = await page.call<{ nonce: string }>('/nonce', {})
    asking.delete(page)
    if (answer.ok) return answer.nonce
    if (answer.error.code === 'abandoned') return undefined
    host.console.warn('The form was not submitted:', answer.error)
    if (form) import('./notice.ts').then(({ notSent }) => notSent(form, page.signal)).catch(() => undefined)
    return undefined
  }
  return {
    submit: async (page: Page, elements: readonly Element[]): Promise<void> => {
      if (asking.has(page)) return
      const { token, url } = page
      const data = JSON.stringify(entriesOf(elements))
      const nonce = await nonceOf(page, data, elements[0]?.closest('form') ?? undefined)
      if (nonce === undefined) return
      const session = page.identity?.session()
      last = { page, data, nonce, session, at: host.now() }
      post(`${host.sdk}/submit`, { token, url, nonce, ...(session && { session }), data })
    },
    /** Makes the next submission a new one. */
    release: (): void => {
      last = undefined
    },
  }
}
