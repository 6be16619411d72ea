import { credential, credentials, type LinkPurpose, type User, userByAddress } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import type { MailToUser } from '../../domain/kernel/ports/user-mail.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { filled } from '../html/filled.ts'
import { html } from '../html/html.ts'
import { saying } from '../html/page.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { windows } from '../http/windows.ts'
import { leadingTo } from '../page-app/leading-on.ts'
import { carryOut, openCredentials } from './carry-out.ts'
import type { AccountPage, AccountRequest, Answer, Route } from './request.ts'
import type { AccountsService } from './service.ts'
import { field } from './shell.ts'
import { SIGN_IN } from './signed-in.ts'
import { typedAddress } from './typed-address.ts'
import { wishedOf, wishedPath } from './wished.ts'
import { WORDS } from './words.ts'

const { link: words, mail, refused } = WORDS

const HOUR_MS = 60 * 60_000
const SENT = '/sign-in/sent'

/** Links that are asked for by mail, with the pages on which that is done. */
const ASKED = {
  sign_in: { path: '/sign-in/link', title: words.title, text: words.text },
  reset: { path: '/sign-in/reset', title: WORDS.reset.title, text: WORDS.reset.text },
} as const

type Asked = keyof typeof ASKED

interface Shown {
  readonly to: string | undefined
  readonly address?: string
  readonly problem?: string
}

const page = (purpose: Asked, { to, address = '', problem }: Shown): AccountPage => {
  const { path, title, text } = ASKED[purpose]
  return {
    ...(problem !== undefined && { status: 422 }),
    title,
    body: html`<p>${text}</p>
<form method="post" action="${path}">${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
${field({ name: 'address', label: WORDS.address, type: 'email', autocomplete: 'email', value: address, problem })}
<p><button>${words.button}</button></p></form>
<p><a href="${leadingTo(SIGN_IN, to)}">${WORDS.signIn.again}</a></p>`,
  }
}

/** Says that no mail is sent, and how else one gets in. */
const noMail = (purpose: Asked): AccountPage => saying(ASKED[purpose].title, words.noMail)

const show =
  (purpose: Asked) =>
  (request: AccountRequest): Answer =>
    request.service.userMail ? page(purpose, { to: wishedOf(request) }) : noMail(purpose)

/** Returns the address of a link. It is that of the configuration, never of a request. */
export const urlOf = (
  { accountsUrl, userLinks }: Pick<AccountsService, 'accountsUrl' | 'userLinks'>,
  userId: number,
  number: number,
): string => accountsUrl + userLinks.pathOf({ userId, number })

const mailWith = (purpose: Asked, { email, first_name }: User, url: string): MailToUser => {
  const isReset = purpose === 'reset'
  const hello = filled(mail.hello, { name: first_name })
  const text = filled(isReset ? mail.reset : mail.signIn, { host: new URL(url).host })
  return {
    to: email,
    subject: isReset ? mail.resetSubject : mail.signInSubject,
    text: `${hello}\n\n${text}\n\n${url}\n\n${mail.ignore}\n`,
    html: html`<p>${hello}</p><p>${text}</p><p><a href="${url}">${url}</a></p><p>${mail.ignore}</p>`.text,
  }
}

/** Numbers the next link of a user. @returns `undefined` when there have been too many */
const askLink = async (
  request: AccountRequest,
  userId: number,
  purpose: LinkPurpose,
  to: string | undefined,
): Promise<number | undefined> => {
  await openCredentials(request, userId)
  const result = await carryOut(request, ask(credentials, userId, 'askLink', { purpose, to: to ?? null }))
  if (result instanceof Refusal) throw result
  const asked = result.events.find(({ type }) => type === credential.event.UserLinkAsked.type)
  return asked && Number(asked.data.number)
}

/** Has a link sent, if the address is that of a user. It goes to the address as it is stored. */
const sendLink = async (request: AccountRequest, address: string, purpose: Asked, to: string | undefined) => {
  const { service } = request
  const user = await userByAddress(address, service.everywhere)
  const number = user && (await askLink(request, user.id, purpose, to))
  if (user && number !== undefined)
    await service.userMail?.send({
      ...mailWith(purpose, user, urlOf(service, user.id, number)),
      isWanted: async () => (await userByAddress(address, service.everywhere))?.id === user.id,
    })
}

/** Asks for a link. The answer is given before anybody is looked for, so that neither its text nor its time says whether there is somebody. */
const asking = (purpose: Asked, linksPerHour: number) => {
  const windowOf = windows<string>(HOUR_MS)
  return (request: AccountRequest, sent: URLSearchParams): Answer => {
    const { ctx, service } = request
    if (!service.userMail) return noMail(purpose)
    const to = wishedPath(sent.get('to'))
    const { address, isUsable } = typedAddress(sent, 'address')
    if (!isUsable) return page(purpose, { to, address, problem: WORDS.isNoAddress })
    const window = windowOf(countedAs(ctx.ip))
    window.used++
    if (linksPerHour > 0 && window.used > linksPerHour)
      return saying(refused.title, refused.tooManyLinks, undefined, 429)
    sendLink(request, address, purpose, to).catch((error: unknown) => {
      service.logger.warn({ err: error, request_id: ctx.state.requestId }, 'a link to sign in was not sent')
    })
    return { to: SENT }
  }
}

const showSent = (): Answer =>
  saying(words.sentTitle, words.sent, html`<p><a href="${ASKED.sign_in.path}">${words.again}</a></p>`)

/** Creates the pages on which people ask for links. @param linksPerHour most of one address of the network; 0: no limit */
export const linkRoutes = (linksPerHour: number): readonly Route[] => [
  { path: /^\/sign-in\/link$/, audience: 'everybody', show: show('sign_in'), take: asking('sign_in', linksPerHour) },
  { path: /^\/sign-in\/reset$/, audience: 'everybody', show: show('reset'), take: asking('reset', linksPerHour) },
  { path: /^\/sign-in\/sent$/, audience: 'everybody', show: showSent },
]
