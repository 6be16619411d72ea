import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from '../../domain/kernel/refusal.ts'
import type { Caller } from '../../domain/kinds/operation.ts'
import type { ApiContext } from './context.ts'

const WINDOW_SECONDS = 60

/** Limits the requests of a token per minute and tells in every answer where it stands; 0 switches the limit off. */
export const rateLimit = (perMinute: number) => {
  if (perMinute === 0) return (): undefined => undefined
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  const tell = (ctx: ApiContext, state: RateLimiterRes) => {
    ctx.res.setHeader('RateLimit-Limit', perMinute)
    ctx.res.setHeader('RateLimit-Remaining', state.remainingPoints)
    ctx.res.setHeader('RateLimit-Reset', Math.ceil(state.msBeforeNext / 1000))
  }
  return async (ctx: ApiContext, { tokenId }: Caller): Promise<void> => {
    try {
      tell(ctx, await limiter.consume(String(tokenId)))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      tell(ctx, state)
      throw refuse.tooMany('the limit of this token is reached', Math.ceil(state.msBeforeNext / 1000))
    }
  }
}
