import type { RecordOf } from '../../kernel/model/model.ts'
import type { Dns, DnsAnswer } from '../../kernel/ports/mail.ts'
import type { DkimKey, domain } from './model.ts'
import * as records from './records.ts'

type SendingDomain = RecordOf<typeof domain>

/** What name servers said about the records of a domain. */
export type Checked = {
  readonly dkim_verified: boolean
  readonly spf_verified: boolean
  readonly dmarc_verified: boolean
  readonly return_address_verified: boolean
  readonly spf_found: string | null
  readonly dmarc_found: string | null
  readonly findings: readonly string[]
  readonly bounce_host: string | null
  /** Whether the record of the next key was seen. */
  readonly next_seen: boolean
}

interface Finding {
  readonly verified: boolean
  readonly found?: string | null
  readonly says?: string
}

/** Look-ups that a record costs, those of what it includes with it; counts no further than necessary. */
const lookupsOf = async (dns: Dns, record: string, used = 0): Promise<number> => {
  const { includes, others } = records.spfLookups(record)
  let count = used + others
  for (const name of includes) {
    count++
    if (count > records.MOST_SPF_LOOKUPS) return count
    const inner = (await dns.texts(name))?.find(records.isSpf)
    if (inner !== undefined) count = await lookupsOf(dns, inner, count)
  }
  return count
}

const checkSpf = async (dns: Dns, texts: readonly string[], mechanism: string): Promise<Finding> => {
  const spf = texts.filter(records.isSpf)
  const [found, another] = spf
  if (found === undefined) return { verified: false, found: null }
  if (another !== undefined)
    return {
      verified: false,
      found: records.joinedSpf(spf),
      says: 'There are two SPF records. Receivers take neither: merge them into one',
    }
  if (!found.startsWith('v=spf1'))
    return { verified: false, found: null, says: 'The SPF record must begin with v=spf1, in lower case' }
  if ((await lookupsOf(dns, found)) > records.MOST_SPF_LOOKUPS) {
    const says = `The SPF record needs more than ${records.MOST_SPF_LOOKUPS} look-ups. Receivers give up: take out what no longer sends`
    return { verified: false, found, says }
  }
  return { verified: records.hasMechanism(found, mechanism), found }
}

const checkDmarc = (texts: readonly string[]): Finding => {
  const [found, another] = texts.filter(records.isDmarc)
  if (found === undefined) return { verified: false, found: null }
  if (another !== undefined)
    return { verified: false, found, says: 'There are two DMARC records. Receivers take neither: keep one' }
  if (!records.hasPolicy(found)) return { verified: false, found, says: 'The DMARC record has no policy (p=)' }
  return { verified: true, found }
}

const checkKey = (texts: readonly string[], key: DkimKey, name: string): Finding => {
  const verified = texts.length === 1 && texts.every((text) => records.hasKey(text, key))
  if (texts.length < 2) return { verified }
  return { verified, says: `There are ${texts.length} TXT records at ${name}. Keep the right one` }
}

/** Leaves what is known as it is where no answer came. */
const orKnown = async (
  answer: DnsAnswer,
  known: Finding,
  check: (answer: readonly string[]) => Finding | Promise<Finding>,
): Promise<Finding> => (answer === undefined ? known : check(answer))

/** Looks up the records of a domain. */
export const checkRecords = async (
  { dns, domain: bounceHost = null }: { readonly dns: Dns; readonly domain?: string | null },
  domain: SendingDomain,
): Promise<Checked> => {
  const { name, dkim_key: key, next_dkim_key: next } = domain
  const nameOf = (one: DkimKey | null) => (one ? records.dkimName(one, name) : undefined)
  const at = async (one: string | undefined) => (one === undefined ? [] : dns.texts(one))
  const [keys, nextKeys, own, policy, aliases] = await Promise.all([
    at(nameOf(key)),
    at(nameOf(next)),
    dns.texts(name),
    dns.texts(records.dmarcName(name)),
    dns.aliases(records.returnName(name)),
  ])
  const mechanism = records.spfMechanism(bounceHost)
  const dkim = await orKnown(keys, { verified: domain.dkim_verified }, (texts) =>
    key ? checkKey(texts, key, records.dkimName(key, name)) : { verified: false },
  )
  const spf = await orKnown(own, { verified: domain.spf_verified, found: domain.spf_found }, (texts) =>
    checkSpf(dns, texts, mechanism),
  )
  const dmarc = await orKnown(policy, { verified: domain.dmarc_verified, found: domain.dmarc_found }, checkDmarc)
  const bounces = await orKnown(aliases, { verified: domain.return_address_verified }, (names) => ({
    verified: bounceHost !== null && names.some((one) => one.toLowerCase() === bounceHost),
  }))
  return {
    dkim_verified: dkim.verified,
    spf_verified: spf.verified,
    dmarc_verified: dmarc.verified,
    return_address_verified: bounces.verified,
    spf_found: spf.found ?? null,
    dmarc_found: dmarc.found ?? null,
    findings: [dkim.says, spf.says, dmarc.says].filter((says) => says !== undefined),
    bounce_host: bounceHost,
    next_seen: next !== null && nextKeys !== undefined && checkKey(nextKeys, next, '').verified,
  }
}
