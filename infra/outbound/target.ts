import { isIP } from 'node:net'
import { addressObjection } from './address.ts'

/** Rules for which targets may be called. */
export interface TargetPolicy {
  /** For development: whether addresses and ports of this machine and its network may be called. */
  readonly allowPrivate: boolean
  /** Origins that the operator of this machine has allowed for a while, such as `http://127.0.0.1:41234`. */
  readonly exempt: ReadonlySet<string>
}

/** Thrown before anything is connected, when the guard objects to a target. */
export class TargetRefused extends Error {}

/** Ports from 1024 on with services that an HTTP request can harm: databases, caches, mail, orchestration, chat, displays. */
const FORBIDDEN_PORTS = new Set([
  1080, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 2525, 3128, 3306, 3389, 3659, 4045, 4190, 5060,
  5061, 5432, 5672, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 8086, 8125,
  8500, 9042, 9092, 9100, 9200, 9300, 10_080, 10_250, 10_255, 11_211, 15_672, 27_017, 27_018, 27_019, 50_000, 61_613,
])
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/

const portObjection = (port: number): string | undefined => {
  if (port === 80 || port === 443) return undefined
  if (port < 1024 || FORBIDDEN_PORTS.has(port)) return `port ${port} may not be called`
  return undefined
}

/** Returns a host without the brackets of IPv6 and the dot of a rooted name. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const hostObjection = (hostname: string): string | undefined => {
  const host = bareHost(hostname)
  if (isIP(host) !== 0) return addressObjection(host)
  if (LOCAL_NAME.test(host) || !host.includes('.')) return 'the name is one of a private network'
  return undefined
}

/** Returns why a URL may not be called, as far as that is known without resolving its name. */
export const targetObjection = (text: string, policy: TargetPolicy): string | undefined => {
  if (!URL.canParse(text)) return 'the URL cannot be understood'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https may be called'
  if (url.username !== '' || url.password !== '') return 'the URL must not carry a user name or password'
  if (policy.allowPrivate || policy.exempt.has(url.origin)) return undefined
  return portObjection(Number(url.port || (url.protocol === 'https:' ? 443 : 80))) ?? hostObjection(url.hostname)
}
