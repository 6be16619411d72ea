import type { DkimKey } from './model.ts'

/** Look-ups that a receiver makes for SPF before it gives up (RFC 7208). */
export const MOST_SPF_LOOKUPS = 10

/** Name of the record of a key. */
export const dkimName = ({ selector }: DkimKey, domain: string): string => `${selector}._domainkey.${domain}`

/** Record of a key. */
export const dkimValue = ({ public_key }: DkimKey): string => `v=DKIM1; k=rsa; p=${public_key}`

export const dmarcName = (domain: string): string => `_dmarc.${domain}`

export const DMARC = 'v=DMARC1; p=none;'

/** Name that bounces come to. */
export const returnName = (domain: string): string => `bounces.${domain}`

/** What lets the operator's servers send for a domain. Without a name of the operator's, those that receive for the domain send for it. */
export const spfMechanism = (bounceHost: string | null): string =>
  bounceHost === null ? 'mx' : `include:${bounceHost}`

const ENDING = /^(?:[+?~-]?all|redirect=.*)$/i
const ALL = /^[+?~-]?all$/i

const terms = (record: string): readonly string[] => record.trim().split(/\s+/)

const isMechanism = (term: string, mechanism: string): boolean => term.toLowerCase().replace(/^\+/, '') === mechanism

/** Whether a record lets our servers send. Receivers read nothing that stands behind `all`. */
export const hasMechanism = (record: string, mechanism: string): boolean => {
  const every = terms(record)
  const all = every.findIndex((term) => ALL.test(term))
  return every.slice(0, all < 0 ? every.length : all).some((term) => isMechanism(term, mechanism))
}

/** Joins several records into one, which ends as the first does. */
export const joinedSpf = ([first = '', ...others]: readonly string[]): string => {
  const own = terms(first)
  const more = others.flatMap((one) => terms(one).slice(1)).filter((term) => !ENDING.test(term) && !own.includes(term))
  const end = own.findIndex((term) => ENDING.test(term))
  const at = end < 0 ? own.length : end
  return [...own.slice(0, at), ...new Set(more), ...own.slice(at)].join(' ')
}

/** Merges what we need into the record of a domain, whose other parts and `all` stay as they are. */
export const mergedSpf = (found: string | null, mechanism: string): string => {
  if (found === null) return `v=spf1 ${mechanism} ~all`
  if (hasMechanism(found, mechanism)) return found
  const all = terms(found).filter((term) => !isMechanism(term, mechanism))
  const end = all.findIndex((term) => ENDING.test(term))
  return [...all.slice(0, end < 0 ? all.length : end), mechanism, ...(end < 0 ? [] : all.slice(end))].join(' ')
}

/** Names that a record of SPF makes receivers look up, and how many other look-ups it costs. */
export const spfLookups = (record: string): { readonly includes: readonly string[]; readonly others: number } => {
  const mechanisms = terms(record).map((term) => term.replace(/^[+?~-]/, '').toLowerCase())
  const named = mechanisms.flatMap((term) => /^(?:include:|redirect=)(.+)$/.exec(term)?.slice(1) ?? [])
  return { includes: named, others: mechanisms.filter((term) => /^(?:a|mx|ptr|exists)(?:[:/]|$)/.test(term)).length }
}

/** Whether a record is one of SPF. Receivers take the version in any case, some do not. */
export const isSpf = (record: string): boolean => /^v=spf1(?:\s|$)/i.test(record)

export const isDmarc = (record: string): boolean => /^v=DMARC1\s*(?:;|$)/.test(record)

const tagsOf = (record: string): ReadonlyMap<string, string> =>
  new Map(
    record.split(';').map((part): [string, string] => {
      const [name = '', ...value] = part.split('=')
      return [name.trim(), value.join('=').replace(/\s+/g, '')]
    }),
  )

/** Whether a record has a key. */
export const hasKey = (record: string, { public_key }: DkimKey): boolean => {
  const tags = tagsOf(record)
  return (tags.get('v') ?? 'DKIM1') === 'DKIM1' && (tags.get('k') ?? 'rsa') === 'rsa' && tags.get('p') === public_key
}

/** Whether a record of DMARC says what becomes of mail. */
export const hasPolicy = (record: string): boolean =>
  ['none', 'quarantine', 'reject'].includes((tagsOf(record).get('p') ?? '').toLowerCase())
