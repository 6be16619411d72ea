import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { browserSecret, newBrowser } from '../html/browser.ts'
import { addCookie } from '../html/cookies.ts'
import { FORM_TOKEN, type FormsFrom, isFormBody, isFormToken, isFromHere } from '../html/forms.ts'
import { answerRedirect, type Page, type Redirect } from '../html/page.ts'
import { oncePerBrowser } from '../html/repeats.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import { fieldsOfBody } from '../http/utf8.ts'
import { type AppWords, expiredPage, missingPage, refusalPage } from './refusals.ts'
import { type AnswerOf, type PageRequest, type PageRoute, routeFor, type ShownPage } from './route.ts'

/** Pages that belong together, with what is different about them. */
export interface PageApp<R extends PageRequest, P extends ShownPage, T extends PageRoute<R, P>> {
  readonly routes: readonly T[]
  readonly withBody: WithBody
  /** Bytes that a form may have. */
  readonly mostBytes: number
  readonly words: (request: R) => AppWords
  /** Default: forms come from the host of the request. */
  readonly formsFrom?: (request: R) => FormsFrom
  /** Returns where somebody goes first who may not see a page, or not send its form: to sign in. */
  readonly first?: (request: R, route: T, act: 'show' | 'take') => Redirect | undefined
  readonly answerPage: (request: R, page: P | Page) => void
}

/**
 * Creates what serves the pages of an app: finds the page of a path, holds forms against the session and the site that they come from, and shows what was
 * refused. What there is not, and what is not open to whoever asks, look the same.
 */
export const pageApp = <R extends PageRequest, P extends ShownPage, T extends PageRoute<R, P>>({
  routes,
  withBody,
  mostBytes,
  words,
  formsFrom = () => ({}),
  first = () => undefined,
  answerPage,
}: PageApp<R, P, T>): ((request: R) => Promise<void>) => {
  type Found = NonNullable<ReturnType<typeof routeFor<T>>>

  const answer = (request: R, answered: AnswerOf<P> | Page): void => {
    if (!answered) answerPage(request, missingPage(words(request)))
    else if ('to' in answered) answerRedirect(request.ctx, answered)
    else answerPage(request, answered)
  }

  const taken = async (request: R, { route, groups }: Found, sent: URLSearchParams): Promise<AnswerOf<P> | Page> => {
    const { formToken } = request
    const isToCheck = route.audience !== 'everybody' && formToken !== undefined
    if (isToCheck && !isFormToken(sent.get(FORM_TOKEN), formToken)) return expiredPage(words(request))
    return first(request, route, 'take') ?? route.take?.(request, sent, groups)
  }

  const take = async (request: R, found: Found): Promise<void> => {
    const { ctx, service, isSecure } = request
    const { route, groups } = found
    if (!route.take) return answer(request, undefined)
    if (!isFromHere(ctx, formsFrom(request)) || !isFormBody(ctx))
      return answer(request, route.expired ? await route.expired(request, groups) : expiredPage(words(request)))
    const sent = await withBody(ctx, mostBytes, async (bytes) => fieldsOfBody(bytes))
    const carryOut = async () => answer(request, await taken(request, found, sent))
    if (!route.isOnce) return carryOut()
    const browser = browserSecret(ctx, service, isSecure)
    return oncePerBrowser(service, ctx, { browser, sent: sent.toString() }, carryOut)
  }

  const shown = async (request: R, { route, groups }: Found): Promise<AnswerOf<P> | Page> => {
    const { ctx } = request
    if (ctx.method === 'GET' || ctx.method === 'HEAD')
      return first(request, route, 'show') ?? route.show?.(request, groups)
    ctx.set('Allow', 'GET, HEAD, POST')
    return missingPage(words(request), 405)
  }

  const handle = async (request: R): Promise<void> => {
    const { ctx, service, isSecure } = request
    const found = routeFor(routes, ctx.path)
    if (found && ctx.method === 'POST') return take(request, found)
    answer(request, found && (await shown(request, found)))
    // The browser of a page with a button is known before the button is pressed.
    if (ctx.method === 'GET' && ctx.status < 400 && browserSecret(ctx, service, isSecure) === undefined)
      addCookie(ctx, newBrowser(service, isSecure).cookie)
  }

  return async (request) => {
    try {
      await handle(request)
    } catch (error) {
      const refusal = refusalIn(error)
      if (!refusal) throw error
      answer(request, refusalPage(words(request), request.ctx, refusal))
    }
  }
}
