import { isOfMachine } from '../../domain/sites/public.ts'
import { addressObjection } from '../outbound/address.ts'
import type { MailSettings } from './settings.ts'

/** Whether a host means something to readers of mails anywhere. */
const isReached = (host: string): boolean => {
  const address = host.replace(/^\[|\]$/g, '')
  const isAddress = address.includes(':') || /^[\d.]+$/.test(address)
  return isAddress ? addressObjection(address) === undefined : !isOfMachine(host) && host.includes('.')
}

/**
 * Returns what is wrong with the links of mails that leave the house; `undefined`: nothing. No law allows advertising whose link to unsubscribe leads nowhere.
 *
 * @param origin what the links begin with; '': it is not known
 */
export const linksWarning = ({ servers }: Pick<MailSettings, 'servers'>, origin: string): string | undefined => {
  if (servers.length === 0 || (origin !== '' && isReached(new URL(origin).hostname))) return undefined
  const now = origin === '' ? 'have no address' : `lead to ${origin}, which recipients cannot reach`
  return `Set MILLRACE_PUBLIC_URL to an address that everybody can reach: the links of mails, also those to unsubscribe, ${now}`
}
