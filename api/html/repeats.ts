import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SealingSecrets } from '../../domain/kernel/ports/secrets.ts'
import type { ShortTermKey, ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import { isJsonObject, type JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from '../http/context.ts'

/** What answering repeats needs. */
export interface RepeatDeps {
  readonly secrets: SealingSecrets
  readonly shortTerm: Pick<ShortTermStore, 'get' | 'put' | 'putNew' | 'take'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const LASTS_MS = 60_000
const POLL_MS = 50
const MOST_POLLS = 400

/** Headers that make an answer what it is. */
const KEPT = ['content-type', 'content-security-policy', 'referrer-policy', 'location', 'refresh', 'set-cookie']

/** Returns an answer, to be sealed for the browser that it is for: it may sign in. */
const answerIn = ({ status, body, response }: ApiContext): JsonObject => {
  const headers = KEPT.flatMap((name) => {
    const value = response.headers[name]
    return value === undefined ? [] : [[name, [value].flat().map(String)]]
  })
  return { status, body: typeof body === 'string' ? body : '', headers: Object.fromEntries(headers) }
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
  const { shortTerm, secrets, now } = deps
  const asked = `${browser}\n${ctx.method} ${ctx.path}\n${sent}`
  const key = secrets.marks('repeats', 'acts').textOf(asked)
  const at: ShortTermKey = { kind: 'pages/repeats', key }
  const nonce = hash('sha256', browser, 'base64url')
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
      if (ctx.status < 400)
        await shortTerm.put(at, { data: { answer: secrets.seal('repeats', nonce, answerIn(ctx)) }, until })
      else await shortTerm.take(at, now())
      return undefined
    }
    if (typeof first.answer === 'string') return answerAgain(ctx, secrets.open('repeats', nonce, first.answer))
    await sleep(POLL_MS)
  }
  throw refuse.unavailable('the same was asked for before, and has not been answered yet')
}
