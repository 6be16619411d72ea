import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext } from '../http/context.ts'
import { parseJson } from '../http/json.ts'
import { sendText } from '../http/send-text.ts'
import { type FoundPage, pageOf } from './page-of.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'

/** Highest number of bytes of a call. */
const MOST_BYTES = 64 * 1024

/** Call of a page, whose token, address and origin are right. */
export interface SdkCall {
  readonly found: FoundPage
  readonly body: JsonObject
  /** Origin of the page. */
  readonly origin: string
  /** Address of the visitor, and what the browser says that it is. */
  readonly ip: string
  readonly userAgent: string
  readonly requestId: string
}

/** Answers a call. The answer gets `ok: true`. @throws {SdkRefusal} */
export type SdkHandler = (call: SdkCall) => Promise<JsonObject>

const RANDOM = /^[\w-]{22}$/

/** Returns whether a text is one that browsers make by chance: 22 characters of base64url. Nobody guesses it. */
export const isRandom = (text: string): boolean => RANDOM.test(text)

/** Returns a text of a call. @throws {SdkRefusal} bad request, naming the field, for anything else and for what is longer */
export const textIn = (body: JsonObject, name: string, most: number): string => {
  const value = body[name]
  if (typeof value !== 'string') throw new SdkRefusal('bad_request', `${name} must be a text`)
  if (value.length > most) throw new SdkRefusal('bad_request', `${name} is too long (maximum is ${most} characters)`)
  return value
}

/** Returns the origin that a browser names. @throws {SdkRefusal} when it names none */
export const originIn = ({ req }: ApiContext): string => {
  const { origin } = req.headers
  if (origin === undefined || origin === '')
    throw new SdkRefusal('origin_missing', 'Only pages may call this: the request has no Origin')
  return origin
}

/** Returns the headers of an answer that only the page of this origin may read. */
export const sharedWith = (origin: string | undefined): Record<string, string> => ({
  Vary: 'Origin',
  ...(origin && { 'Access-Control-Allow-Origin': origin }),
})

/** Sets the headers of a refusal that only the page of this origin may read. */
export const shareWith = (ctx: ApiContext, origin: string | undefined): void => ctx.set(sharedWith(origin))

/** Reads a call and answers it. */
export const answerCall = (service: SdkService, withBody: WithBody, handler: SdkHandler) => async (ctx: ApiContext) => {
  const origin = originIn(ctx)
  const body = await withBody(ctx, MOST_BYTES, async (bytes) => parseJson(bytes.toString()) as Json)
  if (!isJsonObject(body)) throw new SdkRefusal('bad_request', 'The body must be a JSON object')
  const found = await pageOf(service, { token: textIn(body, 'token', 100), url: textIn(body, 'url', 2048), origin })
  const userAgent = String(ctx.req.headers['user-agent'] ?? '').slice(0, 512)
  const answer = await handler({ found, body, origin, ip: ctx.ip, userAgent, requestId: ctx.state.requestId })
  sendText(ctx, 200, JSON.stringify({ ok: true, ...answer }), sharedWith(origin))
}
