import { chooserFor, firstPageOf, type SplitVisitor, stepsAfter } from '../../domain/funnels/public.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { page } from '../../domain/pages/page/model.ts'
import { addressFrom } from '../../domain/sites/public.ts'
import type { ApiContext } from '../http/context.ts'
import { answerPage, type Between } from './html.ts'
import { type FoundPage, registeredUrlOf } from './page-of.ts'
import type { SdkService } from './service.ts'
import { type Signed, signedTexts } from './signed.ts'
import { TICKET_MS, tickets, withTicket } from './ticket.ts'

/** Page to which a visitor goes. */
export type Destination = { readonly page_id: number; readonly url: string }

/** Where a redirect leads. The page between is needed because `form-action` also applies to the redirects of a form. */
type Passage = { readonly u: string; readonly t: string }
/** What the page after a submission in a preview links to. */
type Previewed = { readonly here: string; readonly there: string | null; readonly registered: string | null }

const passages = (secrets: Pick<Secrets, 'derive'>): Signed<Passage> => signedTexts<Passage>(secrets, 'passages')
const previews = (secrets: Pick<Secrets, 'derive'>): Signed<Previewed> => signedTexts<Previewed>(secrets, 'previews')

/** Returns the page that comes after a step, for a visitor; `undefined` behind the last one. */
export const pageAfter = async (
  service: SdkService,
  { step, url: current, ...place }: Pick<FoundPage, 'step' | 'url' | 'workspaceId' | 'teamId'>,
  visitor: SplitVisitor,
): Promise<Destination | undefined> => {
  const read = boundTo(service.live, place)
  const rest = step && stepsAfter(step.funnel.tree, step.node.show_page_step_id)
  const node = rest && (await firstPageOf(rest, chooserFor({ read, vault: service.vault }, visitor)))
  const found = node && (await readerOver(read).one(page, node.page_id))
  const url = found && (await registeredUrlOf(found, { funnel: step!.funnel, node }, service))
  // Who is at a page under the name of the machine may not reach the name of its domain.
  return url ? { page_id: node!.page_id, url: found.external ? url : addressFrom(current, url) } : undefined
}

/** What a visitor takes along to the next page. */
export interface Passenger {
  readonly sessionId: number
  /** Text that is the same for each repeat of a request. */
  readonly cause: string
  /** Sessions of others that the visitor's browser has left for it. */
  readonly left: readonly number[]
  /** Time from which the ticket counts; milliseconds since 1970. */
  readonly since: number
}

/** Creates the addresses of redirects to next pages. They are the same for each repeat of a request. */
export const redirects = ({ secrets, sdkUrl }: SdkService) => {
  const signedPassage = passages(secrets)
  const signedTicket = tickets(secrets)
  return ({ page_id, url }: Destination, { sessionId, cause, since, left }: Passenger): string => {
    const at = { i: cause, s: sessionId, p: page_id, x: since + TICKET_MS }
    const t = signedTicket.sign({ ...at, ...(left.length > 0 && { l: left }) })
    return `${sdkUrl()}/next/${signedPassage.sign({ u: url, t })}`
  }
}

/** Returns the address of the page that says that nothing was saved. */
export const previewRedirect = (
  { secrets, sdkUrl }: SdkService,
  { url }: FoundPage,
  next: Destination | undefined,
): string => {
  const { origin } = new URL(url)
  const there = next && origin !== 'null' ? origin + new URL(next.url).pathname : null
  const registered = next?.url ?? null
  return `${sdkUrl()}/preview/${previews(secrets).sign({ here: url, there: there ?? null, registered })}`
}

const GONE: Between = { title: 'This link leads nowhere', sentences: ['It is not one that was given here.'] }

/** Sends the browser on to the next page. */
export const passOn = ({ secrets }: SdkService) => {
  const signed = passages(secrets)
  return (ctx: ApiContext, text: string): void => {
    const passage = signed.verify(text)
    if (!passage) {
      answerPage(ctx, 404, GONE)
      return
    }
    const url = withTicket(passage.u, passage.t)
    const links = [{ text: 'Continue', url }]
    answerPage(ctx, 200, {
      title: 'One moment',
      sentences: ['You are taken to the next page. If nothing happens, follow the link.'],
      links,
      refresh: url,
    })
  }
}

/** Says that a preview has saved nothing, and links to the next step. */
export const showPreview = ({ secrets }: SdkService) => {
  const signed = previews(secrets)
  return (ctx: ApiContext, text: string): void => {
    const previewed = signed.verify(text)
    if (!previewed) {
      answerPage(ctx, 404, GONE)
      return
    }
    const { here, there, registered } = previewed
    const link = (label: string, url: string | null) =>
      url !== null && /^https?:/.test(url) ? [{ text: `${label}: ${url}`, url }] : []
    answerPage(ctx, 200, {
      title: 'This was a preview',
      sentences: ['Nothing was saved: no contact, no submission, no visit.'],
      links: [
        ...link('The next step in this preview', there),
        ...link('The next step at its registered address', registered),
        ...link('Back to the page', here),
      ],
    })
  }
}
