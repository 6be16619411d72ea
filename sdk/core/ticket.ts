import { attempt } from './attempt.ts'
import { type CoreHost, isPrerendered } from './host.ts'
import { hasConsent } from './identity.ts'

/** A one-time ticket for a session, with the key of this browser that makes trading it repeatable. */
export interface Ticket {
  readonly ticket: string
  readonly key: string
  /** Forgets it. */
  drop(): void
}

const KEY = 'cf_ticket'
const LENGTH = 22

/**
 * Takes the ticket out of the address bar, at once, so that no other script and no bookmark has it. It is stored until it has been traded:
 * the visitor may reload before.
 */
export const takeTicket = (host: CoreHost): Ticket | undefined => {
  const { location, storage } = host
  const [found, fresh] = location.hash.match(/[#&]cf_ticket=([^&]*)/) ?? []
  let stash = attempt(() => storage!.getItem(KEY))
  if (found) {
    const rest = location.hash.replace(found, '').replace(/^&/, '#')
    attempt(() => host.replaceUrl(location.pathname + location.search + rest))
    stash = host.random() + fresh
    // Other pages must not trade the ticket of one that is never shown.
    if (hasConsent(host) && !isPrerendered(host)) attempt(() => storage!.setItem(KEY, stash as string))
  }
  if (!stash) return undefined
  return {
    key: stash.slice(0, LENGTH),
    ticket: stash.slice(LENGTH),
    drop: () => attempt(() => storage!.removeItem(KEY)),
  }
}
