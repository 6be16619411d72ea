import { randomUUID } from 'node:crypto'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext } from '../http/context.ts'
import { countedAs } from '../http/failed-attempts.ts'
import { tokenBuckets } from '../http/token-buckets.ts'
import { fieldsOfBody } from '../http/utf8.ts'
import type { Signed } from '../signed-texts.ts'
import { formIn, hasWrongAddress } from './form-sent.ts'
import { answerPage } from './html.ts'
import { pageAfter, previewRedirect } from './next.ts'
import { type Nonce, nonces } from './nonce.ts'
import { type FoundPage, pageOf, takesForms } from './page-of.ts'
import { SdkRefusal, STATUSES, sdkRefusalOf } from './refusal.ts'
import type { SdkService } from './service.ts'
import { submissions } from './submit.ts'
import type { Visitors } from './visitor.ts'

const MOST_BYTES = 64 * 1024
const LONGEST_NONCE = 1000

/** A form as the browser sent it. */
type Sent = ReadonlyMap<string, string>

const textIn = (sent: Sent, name: string): string => {
  const value = sent.get(name)
  if (value === undefined) throw new SdkRefusal('bad_request', `${name} is missing`)
  return value
}

const invalidNonce = (why: string) => new SdkRefusal('nonce_invalid', why)

/** Sentences for visitors, by the reason for which their form was not taken. */
const REASONS: Partial<Record<SdkRefusal['code'] | 'email', string>> = {
  email: 'The e-mail address is not one that mail can be sent to.',
  nonce_invalid: 'The form had been open for too long, or had been sent from elsewhere.',
  page_not_in_funnel: 'The page is not a step of a funnel, so nothing comes after it.',
  too_many_requests: 'Too many forms come from your network at the moment. Try again in a minute.',
  unavailable: 'It cannot be saved at the moment. Try again in a minute.',
}

const KEPT = "What you typed is still there when you go back with the browser's Back button."

/** Says why a form was not taken, and leads back to its page. */
const answerReason = (ctx: ApiContext, status: number, reason: string | undefined, back: string | undefined): void =>
  answerPage(ctx, status, {
    title: 'The form was not sent',
    sentences: [reason ?? 'It could not be read.', KEPT],
    ...(back !== undefined && /^https?:/.test(back) && { links: [{ text: 'Back to the page', url: back }] }),
  })

/** Returns the nonce of a form, which vouches for its origin. @throws {SdkRefusal} */
const nonceOf = (signed: Signed<Nonce>, ctx: ApiContext, sent: Sent): Nonce => {
  const text = textIn(sent, 'nonce')
  const nonce = text.length > LONGEST_NONCE ? undefined : signed.verify(text)
  if (!nonce || nonce.token !== textIn(sent, 'token')) throw invalidNonce('The nonce is not for this page')
  const url = textIn(sent, 'url')
  if (!URL.canParse(url) || new URL(url).origin !== nonce.origin)
    throw invalidNonce('The nonce is not for this address')
  const { origin = 'null' } = ctx.req.headers
  if (origin !== 'null' && origin !== nonce.origin)
    throw new SdkRefusal('origin_mismatch', 'The Origin of the request is not that of the page')
  return nonce
}

/**
 * Returns the session of a form; 0: none. The nonce was fetched in the same session, or before it began: a slow answer to a visit may bring a session
 * between the two.
 *
 * @throws {SdkRefusal} when it was fetched in another one
 */
const sessionIn = (visitors: Visitors, sent: Sent, { s }: Nonce, found: FoundPage): number => {
  const id = visitors.idIn(sent.get('session'), found) ?? 0
  if (id < s) throw invalidNonce('The nonce is for another session')
  return id
}

/**
 * Creates the answer to a form that a browser sends.
 *
 * @param perMinute forms of one page from one address; 0: no limit
 */
export const forms = (service: SdkService, visitors: Visitors, withBody: WithBody, perMinute: number) => {
  const signedNonces = nonces(service.secrets)
  const submit = submissions(service, visitors)
  const secondsUntilToken = tokenBuckets(perMinute)

  /** Takes a form. @returns the address to which the browser goes */
  const take = async (ctx: ApiContext, sent: Sent, nonce: Nonce): Promise<string> => {
    const found = await pageOf(service, { token: nonce.token, url: textIn(sent, 'url'), origin: null })
    if (!takesForms(found)) throw new SdkRefusal('page_not_in_funnel', 'The page is not a step of a funnel')
    const form = formIn(textIn(sent, 'data'))
    if (found.mode === 'preview') {
      const nobody = { visitor: randomUUID(), contact: undefined, at: visitors.at(found) }
      return previewRedirect(service, found, await pageAfter(service, found, nobody))
    }
    const sessionId = sessionIn(visitors, sent, nonce, found)
    const seconds = secondsUntilToken(`${countedAs(ctx.ip)} ${nonce.token}`)
    if (seconds > 0) throw new SdkRefusal('too_many_requests', 'Too many forms from this address', seconds)
    if (hasWrongAddress(form)) return ''
    const userAgent = String(ctx.req.headers['user-agent'] ?? '').slice(0, 512)
    const from = { ip: ctx.ip, userAgent, requestId: ctx.state.requestId }
    return submit({ found, nonce: nonce.n, sessionId, secret: sent.get('session'), form, ...from })
  }

  return async (ctx: ApiContext): Promise<void> => {
    let back: string | undefined
    try {
      const sent: Sent = await withBody(ctx, MOST_BYTES, async (bytes) => new Map(fieldsOfBody(bytes)))
      const nonce = nonceOf(signedNonces, ctx, sent)
      // Only what a nonce vouches for is linked to, so that this host never leads to a stranger's page.
      back = textIn(sent, 'url')
      if (nonce.x < Date.now()) throw invalidNonce('The nonce has expired')
      const location = await take(ctx, sent, nonce)
      if (location === '') {
        answerReason(ctx, 422, REASONS.email, back)
        return
      }
      ctx.set('Cache-Control', 'no-store')
      ctx.set('Referrer-Policy', 'no-referrer')
      ctx.redirect(location)
    } catch (error) {
      const refusal = sdkRefusalOf(error)
      if (!refusal) service.logger.error({ err: error, request_id: ctx.state.requestId }, 'a form could not be taken')
      if (refusal?.retryAfter !== undefined) ctx.set('Retry-After', String(refusal.retryAfter))
      const isErased = error instanceof Refusal && error.details.some(({ code }) => code === 'erased')
      const reason = isErased ? REASONS.unavailable : REASONS[refusal?.code ?? 'unavailable']
      answerReason(ctx, refusal ? STATUSES[refusal.code] : 500, reason, back)
    }
  }
}
