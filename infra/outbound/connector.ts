import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { addressObjection } from './address.ts'
import { type Resolve, resolveLocally } from './resolve.ts'
import { bareHost, type TargetPolicy, TargetRefused } from './target.ts'

const CONNECT_TIMEOUT_MS = 10_000

/**
 * Returns a connector for requests whose target users choose. It checks the look-up that the socket itself makes, so that a
 * name cannot resolve to something else between check and connect. A kept-alive connection stays where it was checked. One
 * forbidden address among several refuses the name, because an honest name has none.
 */
export const guardedConnector = (
  policy: TargetPolicy,
  resolve: Resolve,
  objectionTo = addressObjection,
): buildConnector.connector => {
  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    const found = (addresses: readonly string[]) => {
      if (addresses.length === 0) throw new TargetRefused('the name does not resolve')
      const objection = addresses.map(objectionTo).find((problem) => problem !== undefined)
      if (objection) throw new TargetRefused(objection)
      const all = addresses.map((address) => ({ address, family: isIP(address) }))
      if (options.all) callback(null, all)
      else callback(null, all[0]!.address, all[0]!.family)
    }
    resolve(hostname)
      .then(found)
      .catch((error: Error) => callback(error, options.all ? [] : ''))
  }
  const openLookup: LookupFunction = (hostname, options, callback) => {
    void resolveLocally(hostname).then((addresses) => {
      if (addresses.length === 0) callback(new TargetRefused('the name does not resolve'), [])
      else if (options.all)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      else callback(null, addresses[0]!, isIP(addresses[0]!))
    })
  }
  const guarded = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup })
  const open = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: openLookup })
  return (options, callback) => {
    const origin = `${options.protocol}//${options.host}`
    if (policy.allowPrivate || policy.exempt.has(origin)) return open(options, callback)
    const host = bareHost(options.hostname)
    // A literal address is connected without a look-up, so it is checked here.
    const objection = isIP(host) === 0 ? undefined : objectionTo(host)
    if (objection) return callback(new TargetRefused(objection), null)
    guarded(options, callback)
  }
}
