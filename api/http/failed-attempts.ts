import ipaddr from 'ipaddr.js'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from './context.ts'
import { remembering } from './remembering.ts'
import { setRateLimitHeaders, windows } from './windows.ts'

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/
const NETWORK_BITS = 64
/** Longest key of an address. No address is longer, but a text from a proxy may be. */
const LONGEST = 64

const keyOf = (address: string): string => {
  if (address.length > LONGEST) return address.slice(0, LONGEST)
  const [, six, four] = WITH_PORT.exec(address) ?? []
  const bare = six ?? four ?? address
  if (!ipaddr.isValid(bare)) return bare
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${NETWORK_BITS}`).toString()
}

/** Returns the key under which the attempts of an address are counted. For IPv6 it is the network, because a client with one address of it has them all. */
export const countedAs = remembering(keyOf, { most: 10_000, longest: LONGEST })

/** Failed attempts to authenticate, by the address from which they came. */
export interface FailedAttempts {
  /** Must be called before an unknown token is looked up. @throws {Refusal} too many */
  check(ctx: ApiContext): void
  /** Counts a failed attempt. @throws {Refusal} too many, when it exceeds the limit */
  count(ctx: ApiContext): void
}

/** Creates the limit of failed attempts of an address per minute; 0 switches the limit off. */
export const failedAttempts = (perMinute: number): FailedAttempts => {
  if (perMinute === 0) return { check: () => undefined, count: () => undefined }
  const windowOf = windows<string>()
  const refuseAbove = (ctx: ApiContext, most: number): void => {
    const window = windowOf(countedAs(ctx.ip))
    if (window.used <= most) return
    const seconds = setRateLimitHeaders(ctx, perMinute, window)
    throw refuse.tooMany('too many requests without a valid token came from this address', seconds)
  }
  return {
    check: (ctx) => refuseAbove(ctx, perMinute - 1),
    count(ctx) {
      windowOf(countedAs(ctx.ip)).used++
      refuseAbove(ctx, perMinute)
    },
  }
}
