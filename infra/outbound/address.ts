import ipaddr from 'ipaddr.js'

/** Addresses that are routed on the public Internet over IPv6 today (IANA, global unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns why an address may not be called, or `undefined` when it is public. Only global unicast passes. Addresses that map
 * or translate IPv4 (`::ffff:…`, NAT64, 6to4, Teredo) are always refused.
 */
export const addressObjection = (address: string): string | undefined => {
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return 'the address cannot be understood'
  const parsed = ipaddr.parse(bare)
  const range = parsed.range()
  if (range !== 'unicast') return `the address is not public (${range})`
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return 'the address is not public (unassigned)'
  return undefined
}
