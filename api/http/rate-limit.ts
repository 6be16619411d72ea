import { LRUCache } from 'lru-cache'
import { refuse } from '../../domain/kernel/refusal.ts'
import type { Caller } from '../../domain/kinds/operation.ts'
import type { ApiContext } from './context.ts'

const WINDOW_MS = 60_000
/** Tokens whose requests are counted; of more, those that have been silent longest begin anew. */
const MOST_TOKENS = 10_000

/** The minute that began with a request of a token. */
interface Window {
  readonly endsAt: number
  used: number
}

/** Limits the requests of a token per minute and tells in every answer where it stands; 0 switches the limit off. @throws {Refusal} too many */
export const rateLimit = (perMinute: number) => {
  if (perMinute === 0) return (): undefined => undefined
  const limit = String(perMinute)
  const windows = new LRUCache<number, Window>({ max: MOST_TOKENS })
  return (ctx: ApiContext, { tokenId }: Caller): undefined => {
    const now = performance.now()
    let window = windows.get(tokenId)
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, used: 0 }
      windows.set(tokenId, window)
    }
    window.used++
    const seconds = Math.ceil((window.endsAt - now) / 1000)
    const left = Math.max(0, perMinute - window.used)
    ctx.state.headers.push('RateLimit-Limit', limit, 'RateLimit-Remaining', `${left}`, 'RateLimit-Reset', `${seconds}`)
    if (window.used > perMinute) throw refuse.tooMany('the limit of this token is reached', seconds)
  }
}
