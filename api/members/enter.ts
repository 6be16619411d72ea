import { ask } from '../../domain/kernel/decide/ask.ts'
import { ENTRY_PATH, READING_PATH } from '../../domain/kernel/ports/member-links.ts'
import { accounts, type SignInLink, usableLink } from '../../domain/members/public.ts'
import { filled } from '../html/filled.ts'
import { FORM_TOKEN, isFormToken } from '../html/forms.ts'
import { html } from '../html/html.ts'
import { localPath } from '../html/local-path.ts'
import { type Redirect, saying } from '../html/page.ts'
import { masked } from '../mail/words.ts'
import { carryOut } from './carry-out.ts'
import { ENTRY, findByCookie, READING, SESSION, setCookie } from './cookies.ts'
import type { Answer, MemberPage, MemberRequest, Route } from './request.ts'
import { HOME, SIGN_IN } from './shell.ts'
import { accountOf, formTokenOf, newSession, type OpenAccount } from './viewer.ts'

const ENTER = '/members/in'

/** Link that somebody is about to sign in by. */
interface Entry extends OpenAccount {
  readonly token: string
  readonly link: SignInLink
}

/** Takes the token out of the address bar, into a cookie. Nothing else is done: programs follow all links of all mails. */
const enter = ({ ctx }: MemberRequest): Redirect => ({
  to: ENTER,
  cookies: [setCookie(ctx, ENTRY, ctx.path.slice(ENTRY_PATH.length))],
})

/** Takes the token of a link to one page out of the address bar, and goes there. Whether it was signed here is looked at by that page. */
const read = ({ ctx, service }: MemberRequest): Answer => {
  const token = ctx.path.slice(READING_PATH.length)
  const link = service.memberLinks.read(token)
  const to = link?.kind === 'reading' ? localPath(link.path) : undefined
  return to === undefined ? undefined : { to, cookies: [setCookie(ctx, READING, token)] }
}

/** Returns the link of a request, as long as it can be used. */
const entryOf = (request: MemberRequest): Promise<Entry | undefined> =>
  findByCookie(request.ctx, ENTRY, async (token) => {
    const named = request.service.memberLinks.read(token)
    const found = named?.kind === 'entry' ? await accountOf(request, named.accountId) : undefined
    if (!found || named?.kind !== 'entry' || !named.fits(found.contact.email_address)) return undefined
    const link = usableLink(found.account, named.number, request.at)
    return link && { ...found, token, link }
  })

const invalid = ({ words: { enter: words, signIn } }: MemberRequest): MemberPage =>
  saying(words.invalidTitle, words.invalid, html`<p><a href="${SIGN_IN}">${signIn.title}</a></p>`, 404)

/** Goes on where a link has signed its contact in in this browser already; otherwise says that it does not work. */
const without = async (request: MemberRequest): Promise<Answer> => {
  const { ctx, service, viewer } = request
  const accountId = viewer?.session?.accountId
  if (accountId === undefined) return invalid(request)
  const others = await findByCookie(ctx, ENTRY, async (token) => {
    const named = service.memberLinks.read(token)
    return named?.kind === 'entry' && named.accountId === accountId ? undefined : token
  })
  return others === undefined ? { to: HOME } : invalid(request)
}

/** Says whom the link signs in, and who is signed in so far. */
const show = async (request: MemberRequest): Promise<Answer> => {
  const entry = await entryOf(request)
  if (!entry) return without(request)
  const { words, viewer, service } = request
  const address = masked(entry.contact.email_address)
  const isAnother = viewer?.session !== undefined && viewer.contact.id !== entry.contact.id
  const other = isAnother
    ? filled(words.enter.instead, { other: masked(viewer.contact.email_address ?? '') })
    : undefined
  return {
    title: words.enter.title,
    body: html`<p>${filled(words.enter.text, { address })}</p>${other !== undefined && html`<p class="notice">${other}</p>`}
<form method="post" action="${ENTER}"><input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(service, entry.token)}">
<button>${filled(words.enter.button, { address })}</button></form>`,
  }
}

/** Signs the browser in. All links of the contact are used up by it. */
const take = async (request: MemberRequest, sent: URLSearchParams): Promise<Answer> => {
  const entry = await entryOf(request)
  if (!entry) return without(request)
  const { ctx, service, viewer } = request
  if (!isFormToken(sent.get(FORM_TOKEN), formTokenOf(service, entry.token))) return invalid(request)
  const { cookie, digest } = newSession(entry)
  const refused = await carryOut(
    request,
    ask(accounts, entry.account.id, 'signIn', { number: entry.link.number, digest }),
  )
  if (refused) return invalid(request)
  if (viewer?.session) {
    const { accountId, digest: former } = viewer.session
    await carryOut(request, ask(accounts, accountId, 'signOut', { digest: former }))
  }
  return { to: entry.link.to ?? HOME, cookies: [setCookie(ctx, SESSION, cookie), setCookie(ctx, ENTRY, '')] }
}

/** Pages that the links of mails lead to. */
export const enterRoutes: readonly Route[] = [
  { path: /^\/members\/in\/[\w-]{1,2500}$/, audience: 'everybody', show: enter },
  { path: /^\/members\/in$/, audience: 'everybody', isOnce: true, show, take },
  { path: /^\/members\/read\/[\w-]{1,2500}$/, audience: 'everybody', show: read },
]
