import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext } from '../http/context.ts'
import { forms } from './forms.ts'
import { passOn, showPreview } from './next.ts'
import type { SdkService } from './service.ts'
import type { Visitors } from './visitor.ts'

const PASSAGES = '/next/'
const PREVIEWS = '/preview/'

/** Answer to a browser that goes to the SDK's host. */
interface Navigation {
  /** Name for log and metrics. */
  readonly name: string
  answer(ctx: ApiContext): Promise<void> | void
}

/**
 * Creates the function that returns the answer to a navigation: a form that is sent, the page between, or the page after a preview; `undefined` for any
 * other request.
 *
 * @param perMinute forms of one page from one address; 0: no limit
 */
export const navigations = (service: SdkService, visitors: Visitors, withBody: WithBody, perMinute: number) => {
  const [pass, preview] = [passOn(service), showPreview(service)]
  const submit: Navigation = { name: 'submit', answer: forms(service, visitors, withBody, perMinute) }
  return (method: string, path: string): Navigation | undefined => {
    if (method === 'POST' && path === '/submit') return submit
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (path.startsWith(PASSAGES)) return { name: 'next', answer: (ctx) => pass(ctx, path.slice(PASSAGES.length)) }
    if (path.startsWith(PREVIEWS))
      return { name: 'preview', answer: (ctx) => preview(ctx, path.slice(PREVIEWS.length)) }
    return undefined
  }
}
