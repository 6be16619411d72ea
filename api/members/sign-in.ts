import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import { contactByEmail } from '../../domain/contacts/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import { cleanAddress, isAddress } from '../../domain/kernel/values/mailbox.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { accounts } from '../../domain/members/public.ts'
import { html } from '../html/html.ts'
import { localPath } from '../html/local-path.ts'
import { saying } from '../html/page.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { windows } from '../http/windows.ts'
import { wishedIn } from '../page-app/leading-on.ts'
import { carryOut } from './carry-out.ts'
import { SESSION, setCookie } from './cookies.ts'
import {
  type Answer,
  forMembers,
  type MemberPage,
  type MemberRequest,
  type Route,
  type SignedInRequest,
} from './request.ts'
import { HOME, SIGN_IN } from './shell.ts'

const HOUR_MS = 60 * 60_000
const SENT = '/members/sign-in/sent'
const SIGNED_OUT = '/members/signed-out'

interface Asked {
  readonly to: string | undefined
  readonly address?: string
  readonly isNoAddress?: boolean
}

const askingPage = ({ words: { signIn } }: MemberRequest, { to, address = '', isNoAddress }: Asked): MemberPage => ({
  ...(isNoAddress && { status: 422 }),
  title: signIn.title,
  body: html`<p>${signIn.text}</p>
<form method="post" action="${SIGN_IN}">${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
<label for="address">${signIn.address}</label>
${isNoAddress && html`<p id="problem" class="notice">${signIn.isNoAddress}</p>`}
<input id="address" name="address" type="email" autocomplete="email" required value="${address}"${isNoAddress && html` aria-invalid="true" aria-describedby="problem"`}>
<p><button>${signIn.button}</button></p></form>`,
})

const show = (request: MemberRequest): Answer => {
  const to = wishedIn(request.ctx)
  return request.viewer?.session ? { to: to ?? HOME } : askingPage(request, { to })
}

/** Has a link sent, if the address is that of a contact. */
const sendLink = async (request: MemberRequest, address: string, to: string | undefined): Promise<void> => {
  const { service, site } = request
  const deps = { owner: { id: site.workspaceId }, read: boundTo(service.everywhere, site), vault: service.vault }
  const contact_id = await contactByEmail(address, deps)
  if (contact_id === undefined) return
  await carryOut(request, ask(accounts, 'new', 'create', { contact_id, to: to ?? null }, { ifTaken: 'askLink' }))
}

/** Asks for a link. The answer is given before anybody is looked for, so that neither its text nor its time says whether there is somebody. */
const asking = (mostOfSource: number) => {
  const windowOf = windows<string>(HOUR_MS)
  return async (request: MemberRequest, sent: URLSearchParams): Promise<Answer> => {
    const { words, ctx, service, site } = request
    const to = localPath(sent.get('to'))
    const address = cleanAddress(sent.get('address') ?? '')
    if (!isAddress(address)) return askingPage(request, { to, address, isNoAddress: true })
    const window = windowOf(countedAs(ctx.ip))
    window.used++
    if (mostOfSource > 0 && window.used > mostOfSource)
      return saying(words.refused.title, words.refused.tooMany, undefined, 429)
    if (await service.advances(site.workspaceId)) throw refuse.unavailable(CLOCK_ADVANCES)
    sendLink(request, address, to).catch((error: unknown) => {
      service.logger.warn({ err: error, request_id: ctx.state.requestId }, 'a link to sign in was not sent')
    })
    return { to: SENT }
  }
}

const showSent = ({ words: { signIn } }: MemberRequest): MemberPage =>
  saying(signIn.sentTitle, signIn.sent, html`<p><a href="${SIGN_IN}">${signIn.again}</a></p>`)

const signOut = async (request: SignedInRequest): Promise<Answer> => {
  const { accountId, digest } = request.viewer.session
  const refused = await carryOut(request, ask(accounts, accountId, 'signOut', { digest }))
  if (refused) throw refused
  return { to: SIGNED_OUT, cookies: [setCookie(request.ctx, SESSION, '')] }
}

const showSignedOut = ({ words: { signedOut, signIn } }: MemberRequest): MemberPage =>
  saying(signedOut.title, signedOut.text, html`<p><a href="${SIGN_IN}">${signIn.title}</a></p>`)

/**
 * Creates the pages on which a contact asks for a link, and signs out.
 *
 * @param mostOfSource links that may be asked for from one address of the network within an hour; 0: no limit
 */
export const signInRoutes = (mostOfSource: number): readonly Route[] => [
  { path: /^\/members\/sign-in$/, audience: 'everybody', show, take: asking(mostOfSource) },
  { path: /^\/members\/sign-in\/sent$/, audience: 'everybody', show: showSent },
  forMembers(/^\/members\/sign-out$/, { show: () => ({ to: HOME }), take: signOut }),
  { path: /^\/members\/signed-out$/, audience: 'everybody', show: showSignedOut },
]
