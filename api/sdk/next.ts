import { chooserFor, firstPageOf, type SplitVisitor, stepsAfter } from '../../domain/funnels/public.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { page } from '../../domain/pages/page/model.ts'
import { addressFrom } from '../../domain/sites/public.ts'
import type { ApiContext } from '../http/context.ts'
import { type Signed, signedTexts } from '../signed-texts.ts'
import { answerPage, type Between } from './html.ts'
import { addressesOf, type FoundPage, type PageStep, stepOf } from './page-of.ts'
import type { SdkService } from './service.ts'
import { TICKET_MS, tickets, withTicket } from './ticket.ts'

/** Page to which a visitor goes. */
export type Destination = { readonly page_id: number; readonly url: string }

/** What a visitor is told whom no page follows: that the form has arrived, or that it is to be confirmed by mail. */
export type Thanks = 'arrived' | 'to confirm'

/** Where a redirect leads. The page between is needed because `form-action` also applies to the redirects of a form. */
type Passage = { readonly u: string; readonly t: string; readonly k?: Thanks }
/** What the page after a submission in a preview links to. */
type Previewed = { readonly here: string; readonly there: string | null; readonly registered: string | null }

const passages = (secrets: Pick<Secrets, 'marks'>): Signed<Passage> => signedTexts<Passage>(secrets, 'passages')
const previews = (secrets: Pick<Secrets, 'marks'>): Signed<Previewed> => signedTexts<Previewed>(secrets, 'previews')

/** Returns the page that comes after a step, for a visitor; `undefined` behind the last one. */
export const pageAfter = async (
  service: SdkService,
  { step, url: current, ...place }: Pick<FoundPage, 'step' | 'url' | 'workspaceId' | 'teamId'>,
  visitor: SplitVisitor,
): Promise<Destination | undefined> => {
  const read = boundTo(service.everywhere, place)
  const rest = step && stepsAfter(step.funnel.tree, step.node.show_page_step_id)
  const node = rest && (await firstPageOf(rest, chooserFor({ read, vault: service.vault }, visitor)))
  const found = node && (await readerOver(read).one(page, node.page_id))
  return found && destinationAt(service, current, found, { funnel: step!.funnel, node })
}

/** Returns a page as the destination of a visitor, who stays at the name of the workspace that they came by. */
const destinationAt = async (
  service: SdkService,
  current: string,
  found: RecordOf<typeof page>,
  step: Pick<PageStep, 'node' | 'funnel'> | undefined,
): Promise<Destination | undefined> => {
  const { url, origins } = await addressesOf(found, step, service)
  return url ? { page_id: found.id, url: found.external ? url : addressFrom(current, url, origins) } : undefined
}

/** Returns the page that a page outside of funnels names as the next one; `undefined`: it names none. */
export const pageNamedBy = async (service: SdkService, found: FoundPage): Promise<Destination | undefined> => {
  const named = await readerOver(boundTo(service.everywhere, found)).one(page, found.page.next_page_id)
  return named && destinationAt(service, found.url, named, await stepOf(named, service))
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
  return ({ page_id, url }: Destination, { sessionId, cause, since, left }: Passenger, thanks?: Thanks): string => {
    const at = { i: cause, s: sessionId, p: page_id, x: since + TICKET_MS }
    const t = signedTicket.sign({ ...at, ...(left.length > 0 && { l: left }) })
    return `${sdkUrl()}/next/${signedPassage.sign({ u: url, t, ...(thanks && { k: thanks }) })}`
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

const THANKS: Readonly<Record<Thanks, Between>> = {
  arrived: { title: 'Thank you', sentences: ['What you sent has arrived.'] },
  'to confirm': {
    title: 'Thank you',
    sentences: ['One more step: a mail is on its way to you. Follow the link in it to confirm your address.'],
  },
}

/** Sends the browser on to the next page, or thanks where none follows. */
export const passOn = ({ secrets }: SdkService) => {
  const signed = passages(secrets)
  return (ctx: ApiContext, text: string): void => {
    const passage = signed.verify(text)
    if (!passage) {
      answerPage(ctx, 404, GONE)
      return
    }
    const url = withTicket(passage.u, passage.t)
    if (passage.k) {
      const links = /^https?:/.test(url) ? [{ text: 'Back to the page', url }] : []
      answerPage(ctx, 200, { ...THANKS[passage.k], links })
      return
    }
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
