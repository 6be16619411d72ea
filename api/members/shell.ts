import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import { filled } from '../html/filled.ts'
import { type Html, html } from '../html/html.ts'
import { masked } from '../mail/words.ts'
import { answerFramed } from '../page-app/frame.ts'
import { signInAt } from '../page-app/leading-on.ts'
import type { MemberPage, MemberRequest } from './request.ts'

/** Start page of those who are signed in. */
export const HOME = '/members'
export const SIGN_IN = '/members/sign-in'
export const SIGN_OUT = '/members/sign-out'

/** Pages that every page of somebody who is signed in leads to. */
const NAVIGATION = [
  { path: HOME, word: 'home' },
  { path: '/members/courses', word: 'courses' },
  { path: '/members/communities', word: 'communities' },
  { path: '/members/orders', word: 'orders' },
  { path: '/members/mail', word: 'mail' },
] as const

/** Returns the address of the sign-in page that leads on to a path. */
export const signInFor = signInAt(SIGN_IN, HOME)

/** Shows a time in the language of the reader and the zone of the workspace. */
export const shownTime = ({ language, workspace }: MemberRequest, at: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: zoneOfWorkspace(workspace) },
  }).format(new Date(at))

/** Says to whom a link of a mail shows a page. */
const byLink = ({ viewer, words, ctx }: MemberRequest): Html | undefined => {
  if (!viewer || viewer.session) return undefined
  const text = filled(words.byLink, { address: masked(viewer.contact.email_address ?? '') })
  return html`<p class="notice">${text} <a href="${signInFor(ctx.path)}">${words.signIn.title}</a></p>`
}

/** Answers with a page. */
export const answerPage = (request: MemberRequest, page: MemberPage): void => {
  const { ctx, service, language, words, business, viewer, formToken } = request
  answerFramed(ctx, page, {
    ...{ language, site: business, skip: words.skip, notice: byLink(request) },
    session:
      viewer && formToken !== undefined
        ? {
            formToken,
            navigation: NAVIGATION.map(({ path, word }) => ({ path, word: words[word] })),
            menu: words.menu,
            signedInAs: filled(words.signedInAs, { address: masked(viewer.contact.email_address ?? '') }),
            signOut: { path: SIGN_OUT, word: words.signOut },
          }
        : undefined,
    foreignImages: service.thirdParty.has('images'),
    referrer: 'no-referrer',
    vary: 'Accept-Language, Cookie',
  })
}
