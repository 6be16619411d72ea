import ipaddr from 'ipaddr.js'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from './context.ts'
import { tellWindow, windows } from './windows.ts'

const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/
const NETWORK_BITS = 64
/** No address is longer; what a proxy passes on may be. */
const LONGEST = 64

/** Under what the attempts of an address are counted: of IPv6 the network, since whoever has one address has all of it. */
export const countedAs = (address: string): string => {
  const [, six, four] = WITH_PORT.exec(address) ?? []
  const bare = six ?? four ?? address
  if (!ipaddr.isValid(bare)) return bare.slice(0, LONGEST)
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${NETWORK_BITS}`).toString()
}

/** Attempts to authenticate that failed, by the address that they came from. */
export interface FailedAttempts {
  /** Before a token is looked for that has not been good before. @throws {Refusal} too many */
  check(ctx: ApiContext): void
  /** Counts one that failed. @throws {Refusal} too many, when it is one too many */
  count(ctx: ApiContext): void
}

/** Limits the failed attempts of an address per minute; 0 switches the limit off. */
export const failedAttempts = (perMinute: number): FailedAttempts => {
  if (perMinute === 0) return { check: () => undefined, count: () => undefined }
  const windowOf = windows<string>()
  const refuseAbove = (ctx: ApiContext, most: number): void => {
    const window = windowOf(countedAs(ctx.ip))
    if (window.used <= most) return
    const seconds = tellWindow(ctx, perMinute, window)
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
