import { isIP } from 'node:net'

/** What browsers know the installation by when they use passkeys. */
export interface RelyingParty {
  /** The host of the configured address, never a domain above it: hosted pages are below that. */
  readonly id: string
  readonly origin: string
}

/** Why an address has no passkeys: browsers use them at names alone, and over TLS unless the name is `localhost`. */
export type WhyNoPasskeys = 'number' | 'plain'

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** Returns the relying party of an address, or why browsers use no passkeys there. */
export const relyingPartyOf = (accountsUrl: string): RelyingParty | WhyNoPasskeys => {
  const { protocol, hostname, origin } = new URL(accountsUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) > 0) return 'number'
  return protocol === 'https:' || isLocal(hostname) ? { id: hostname, origin } : 'plain'
}
