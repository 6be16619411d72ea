import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext, Next } from './context.ts'
import { countedAs } from './failed-attempts.ts'
import { Quota } from './quota.ts'
import { tokenBuckets } from './token-buckets.ts'
import { whenOver } from './when-over.ts'

/** Requests in progress at once, of all addresses and of one. */
export interface AtOnce {
  readonly total: number
  readonly each: number
}

/** Requests in progress at once. Files go to readers as slow as they like, so those must not keep deliveries out. */
const USUAL = { reads: { total: 512, each: 128 }, others: { total: 512, each: 128 } }

/**
 * Limits how many requests of strangers come from an address in a time.
 *
 * @param perMinute requests of one address; 0: no limit
 * @throws {Refusal} from the middleware: tooMany
 */
export const rateLimit = (perMinute: number) => {
  const secondsUntilToken = tokenBuckets(perMinute)
  return (ctx: ApiContext, next: Next): Promise<unknown> => {
    const seconds = secondsUntilToken(countedAs(ctx.ip))
    if (seconds > 0) throw refuse.tooMany('too many requests came from this address', seconds)
    return next()
  }
}

/**
 * Limits how many requests of an address, and of all, are in progress at once.
 *
 * @param atOnce requests in progress, for reads and for others
 * @throws {Refusal} from the middleware: tooMany, or unavailable while all addresses together send too many
 */
export const inProgressLimit = (atOnce: { readonly reads: AtOnce; readonly others: AtOnce } = USUAL) => {
  const reads = new Quota<string>(atOnce.reads)
  const others = new Quota<string>(atOnce.others)
  return (ctx: ApiContext, next: Next): Promise<unknown> => {
    const address = countedAs(ctx.ip)
    const quota = ctx.method === 'GET' || ctx.method === 'HEAD' ? reads : others
    const exceeded = quota.take(address)
    if (exceeded === 'each') throw refuse.tooMany('too many requests of this address are in progress', 1)
    if (exceeded) throw refuse.unavailable('too many requests are in progress')
    // Not when the middleware is done: a file is sent after that.
    whenOver(ctx.res, () => quota.give(address))
    return next()
  }
}

/** Limits both, as for callers that no page of a site is served to. */
export const limits = (perMinute: number, atOnce = USUAL) => {
  const rate = rateLimit(perMinute)
  const progress = inProgressLimit(atOnce)
  return (ctx: ApiContext, next: Next): Promise<unknown> => rate(ctx, () => progress(ctx, next))
}
