import { Type } from 'typebox'
import type { RecordOf } from '../../kernel/model/model.ts'
import { nullable } from '../../resources/schemas.ts'
import type { ViewParts } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import type { DkimKey, domain } from './model.ts'
import * as records from './records.ts'

type SendingDomain = RecordOf<typeof domain>

const TTL = 300

const record = nullable(
  Type.Object({
    type: Type.String(),
    name: Type.String({ description: 'Host that the record goes on' }),
    value: Type.String(),
    ttl: Type.Integer({ description: 'Recommended, in seconds' }),
    verified: Type.Boolean({ description: 'As `verify` has last seen it' }),
  }),
)

const txt = (name: string, value: string, verified: boolean) => ({ type: 'TXT', name, value, ttl: TTL, verified })

type Transport = Pick<SendingDomain, 'dkim_verified' | 'spf_verified' | 'dmarc_verified'>

/** Whether mail of a domain is authenticated. */
export const isVerified = ({ dkim_verified, spf_verified, dmarc_verified }: Transport): boolean =>
  dkim_verified && spf_verified && dmarc_verified

/** Whether one of these hosts, which are connected to the workspace, proves that it owns a root domain. */
export const provesOwnership = (hosts: readonly { readonly [name: string]: unknown }[], name: string): boolean =>
  hosts.some((host) => host.connected === true && (host.name === name || String(host.name).endsWith(`.${name}`)))

/** Whether the workspace of a sending domain has connected it. */
export const isOwned = async ({ name, workspace_id }: SendingDomain, load: Loader): Promise<boolean> =>
  provesOwnership(await load.where('domain', 'workspace_id', Number(workspace_id)), name)

const spfValue = ({ spf_found, bounce_host }: SendingDomain): string =>
  records.mergedSpf(spf_found, records.spfMechanism(bounce_host))

const dkimText = (name: string, key: DkimKey, verified: boolean) =>
  txt(records.dkimName(key, name), records.dkimValue(key), verified)

const rotationSteps = ({ name, dkim_key, next_dkim_key, former_dkim_key }: SendingDomain): readonly string[] => [
  ...(dkim_key && next_dkim_key
    ? [`Publish the new DKIM record, and leave the one at ${records.dkimName(dkim_key, name)} in place`]
    : []),
  ...(former_dkim_key
    ? [
        `Leave the DKIM record at ${records.dkimName(former_dkim_key, name)} in place until ${former_dkim_key.asked_until}: mail that it signed is under way`,
      ]
    : []),
]

const stepsOf = (domain: SendingDomain, owned: boolean, warning: string | undefined): readonly string[] => {
  const { name, dkim_verified, spf_verified, dmarc_verified, return_address_verified, bounce_host } = domain
  const unverified = [
    ...(dkim_verified ? [] : ['DKIM']),
    ...(spf_verified ? [] : ['SPF']),
    ...(dmarc_verified ? [] : ['DMARC']),
  ]
  const missing = [...unverified, ...(return_address_verified || bounce_host === null ? [] : ['return path'])]
  const isReady = owned && missing.length === 0 && warning === undefined
  return [
    ...(owned ? [] : [`Connect ${name}, or a name below it such as www.${name}, to the workspace as a website domain`]),
    ...domain.findings,
    ...missing.map((kind) => `Publish the ${kind} record`),
    ...rotationSteps(domain),
    ...(missing.length > 0
      ? ['Records may take up to 48 hours to be seen. Then ask for POST /emails/domains/{id}/verify again']
      : []),
    ...(warning === undefined ? [] : [warning]),
    ...(isReady ? [`Ready to send from addresses at ${name}`] : []),
  ]
}

/** What is shown of a sending domain besides its flags. */
export const domainParts: ViewParts<typeof domain> = {
  ownership_verified: {
    schema: Type.Boolean({ description: 'Whether the name is connected to the workspace as a website domain' }),
    of: isOwned,
  },
  verified: {
    schema: Type.Boolean({ description: 'Whether DKIM, SPF and DMARC are verified' }),
    of: isVerified,
  },
  ready_for_sending: {
    schema: Type.Boolean({ description: 'Owned and verified' }),
    of: async (domain, load) => isVerified(domain) && (await isOwned(domain, load)),
  },
  smtp_verified: {
    schema: Type.Boolean({ description: 'Always false: a server of its own for a domain is not offered' }),
    of: () => false,
  },
  dkim_record: {
    schema: record,
    of: ({ name, dkim_key, next_dkim_key, dkim_verified }) => {
      const key = next_dkim_key ?? dkim_key
      return key && dkimText(name, key, dkim_verified && next_dkim_key === null)
    },
  },
  spf_record: { schema: record, of: (domain) => txt(domain.name, spfValue(domain), domain.spf_verified) },
  dmarc_record: {
    schema: record,
    of: ({ name, dmarc_found, dmarc_verified }) =>
      txt(records.dmarcName(name), dmarc_found ?? records.DMARC, dmarc_verified),
  },
  return_address_record: {
    schema: record,
    of: ({ name, bounce_host, return_address_verified }) =>
      bounce_host === null
        ? null
        : {
            ...{ type: 'CNAME', name: records.returnName(name), value: bounce_host },
            ...{ ttl: TTL, verified: return_address_verified },
          },
  },
  next_steps: {
    schema: Type.Array(Type.String()),
    of: async (domain, load) => [...stepsOf(domain, await isOwned(domain, load), load.linksWarning)],
  },
}
