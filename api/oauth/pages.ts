import { WORDS } from '../accounts/words.ts'
import { html } from '../html/html.ts'
import type { Page } from '../html/page.ts'
import type { ApiContext } from '../http/context.ts'
import { answerFramed, type Frame } from '../page-app/frame.ts'

const FRAME: Frame = {
  ...{ language: 'en', site: WORDS.site, skip: WORDS.skip },
  ...{ referrer: 'no-referrer', vary: 'Cookie' },
}

/** Answers with a page of the authorization server. */
export const answerPage = (ctx: ApiContext, page: Page): void => answerFramed(ctx, page, FRAME)

/** Returns a page that says that a request has ended, and begins it again. */
export const endedPage = (again: string | undefined): Page => ({
  status: 410,
  title: 'This page is no longer valid',
  body: html`<p>It was open for too long, or it has been answered already. Nothing is lost.</p>
${again === undefined ? html`<p>Go back to the application and connect again.</p>` : html`<p><a href="${again}">Start again</a></p>`}`,
})

const FAULTS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  invalid_client: [
    'This application is not known here',
    'It was never registered here, or its registration has been removed. Go back to the application and connect again.',
  ],
  invalid_redirect_uri: [
    'The application gave a wrong address',
    'It is not among the addresses that the application has registered, so nobody is sent there.',
  ],
}

/** Returns a page that says why a request cannot be answered. Nobody is sent on: the address may be anybody's. */
export const faultPage = (status: number, error: string, description: string): Page => {
  const [title, text] = FAULTS[error] ?? [
    'This request cannot be answered',
    'The application sent a request that is not in order.',
  ]
  return { status, title, body: html`<p>${text}</p><p class="quiet">${error}: ${description}</p>` }
}

/** Returns a page for somebody without a workspace that the application may reach. */
export const noWorkspacePage = (hasOthers: boolean): Page => ({
  status: 403,
  title: 'There is no workspace to connect',
  body: hasOthers
    ? html`<p>This application is only for the team that owns it, and you are not a member of that team.</p>`
    : html`<p>You are not a member of a team with a workspace. Ask somebody to invite you.</p>`,
})

/**
 * Answers with a page that goes on to an address of the application. A redirect would not do: a browser holds the whole chain of redirects after a form
 * against the policy of the page with the form.
 */
export const answerLeaving = (ctx: ApiContext, target: string): void => {
  answerPage(ctx, {
    title: 'Back to the application',
    body: html`<p>You can close this page when the application has opened.</p><p><a href="${target}">Continue</a></p>`,
  })
  ctx.set('Refresh', `0;url=${target}`)
}
