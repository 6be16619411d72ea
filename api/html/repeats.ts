import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { ShortTermKey, ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import { isJsonObject, type JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from '../http/context.ts'

/** What answering repeats needs. */
export interface RepeatDeps {
  readonly secrets: Pick<Secrets, 'derive'>
  readonly shortTerm: Pick<ShortTermStore, 'get' | 'put' | 'putNew' | 'take'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const LASTS_MS = 60_000
const NONCE_BYTES = 12
const TAG_BYTES = 16
const POLL_MS = 50
const MOST_POLLS = 400
const CIPHER = 'aes-256-gcm'

/** Headers that make an answer what it is. */
const KEPT = ['content-type', 'content-security-policy', 'referrer-policy', 'location', 'refresh', 'set-cookie']

const macOf = ({ secrets }: RepeatDeps, purpose: string, text: string): Buffer =>
  createHmac('sha256', secrets.derive('repeats', purpose)).update(text).digest()

/** Seals an answer for the browser that it is for: it may sign in. */
const sealed = (key: Buffer, { status, body, response }: ApiContext): string => {
  const headers = KEPT.flatMap((name) => {
    const value = response.headers[name]
    return value === undefined ? [] : [[name, [value].flat().map(String)]]
  })
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const text = JSON.stringify({
    status,
    body: typeof body === 'string' ? body : '',
    headers: Object.fromEntries(headers),
  })
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
}

const opened = (key: Buffer, text: string): JsonObject => {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const content = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(content).toString('utf8')) as JsonObject
}

/** Gives the answer again that a browser has got, or has not got because it went on too early. */
const answerAgain = (ctx: ApiContext, { status, body, headers }: JsonObject): void => {
  ctx.status = Number(status)
  ctx.set({ 'Cache-Control': 'private, no-store', Vary: 'Cookie' })
  const kept = isJsonObject(headers) ? headers : {}
  for (const [name, value] of Object.entries(kept)) ctx.set(name, [value].flat().map(String))
  ctx.body = String(body)
}

/** What a browser asks for: by whom it is known, and what it sends. */
export interface OneTimeAct {
  /** Secret by which the browser is known; `undefined`: it keeps no cookies, and is given no answer twice. */
  readonly browser: string | undefined
  readonly sent: string
}

/**
 * Carries out what can be done once, such as using a link. The same browser that asks again within a minute gets the first answer, also while that is on
 * its way, in every process: people press buttons twice, and answers are lost. Another browser gets nothing of it. What was refused may be tried again.
 */
export const oncePerBrowser = async (
  deps: RepeatDeps,
  ctx: ApiContext,
  { browser, sent }: OneTimeAct,
  carryOut: () => Promise<void>,
): Promise<void> => {
  if (browser === undefined) return carryOut()
  const { shortTerm, now } = deps
  const key = macOf(deps, 'acts', `${browser}\n${ctx.method} ${ctx.path}\n${sent}`).toString('base64url')
  const at: ShortTermKey = { kind: 'pages/repeats', key }
  const seal = macOf(deps, 'answers', browser)
  for (let polls = 0; polls < MOST_POLLS; polls++) {
    const until = now() + LASTS_MS
    const first = await shortTerm.putNew(at, { data: {}, until }, now())
    if (!first) {
      try {
        await carryOut()
      } catch (error) {
        await shortTerm.take(at, now())
        throw error
      }
      if (ctx.status < 400) await shortTerm.put(at, { data: { answer: sealed(seal, ctx) }, until })
      else await shortTerm.take(at, now())
      return undefined
    }
    if (typeof first.answer === 'string') return answerAgain(ctx, opened(seal, first.answer))
    await sleep(POLL_MS)
  }
  throw refuse.unavailable('the same was asked for before, and has not been answered yet')
}
