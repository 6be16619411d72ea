import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Caller } from '../../domain/resources/operation.ts'
import type { ApiContext } from './context.ts'
import { setRateLimitHeaders, windows } from './windows.ts'

/** Limits the requests of a token per minute and tells in every answer how many are left. 0 switches the limit off. @throws {Refusal} too many */
export const rateLimit = (perMinute: number) => {
  if (perMinute === 0) return (): undefined => undefined
  const windowOf = windows<Caller['tokenId']>()
  return (ctx: ApiContext, { tokenId }: Caller): undefined => {
    const window = windowOf(tokenId)
    window.used++
    const seconds = setRateLimitHeaders(ctx, perMinute, window)
    if (window.used > perMinute) throw refuse.tooMany('the limit of this token is reached', seconds)
  }
}
