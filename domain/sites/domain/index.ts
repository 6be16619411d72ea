import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, creates, removes } from '../../resources/writes.ts'
import { hostName } from '../host.ts'
import { domain } from './model.ts'
import { domains, proofName } from './rules.ts'

const PROOF_LENGTH = 32

/** Returns the requested name in ASCII, with the proof that its owner has to publish. */
const requested = ({ fields, token, external }: WriteInput): JsonObject | Refusal => {
  const name = hostName(String(fields.name ?? ''))
  if (name === undefined || !name.includes('.'))
    return refuse.invalid('Name must be the name of a host, such as shop.example.com', 'name', 'invalid')
  if (external.hosts.isOwn(name)) return refuse.invalid('Name is one of the service itself', 'name', 'reserved')
  return { name, proof: `millrace=${token(PROOF_LENGTH)}` }
}

const published = async ({ document, external }: WriteInput) => ({
  texts: await external.hosts.texts(proofName(String(document?.name))),
})

const beyond = { beyondContract: true } as const

/** Domain, with the proof that makes it the workspace's. */
export const domainResource = serve(domain, domains, {
  title: 'Domain',
  root: 'domain',
  category: 'sites',
  under: workspace,
  indexes: [{ fields: ['workspace_id'] }, { fields: ['name'] }],
  view: {
    proof: {
      schema: nullable(Type.Object({ type: Type.String(), name: Type.String(), value: Type.String() })),
      of: ({ name, proof, connected }) =>
        proof === null || connected ? null : { type: 'TXT', name: proofName(name ?? ''), value: proof },
    },
  },
  operations: {
    listDomains: list('/workspaces/{workspace_id}/domains'),
    getDomain: show('/domains/{id}'),
    createDomain: creates('/workspaces/{workspace_id}/domains', {
      ...beyond,
      summary:
        'Requests a domain. It is connected once its owner has published the TXT record in `proof`, and `verify` has seen it',
      as: 'DomainRequested',
      wanted: requested,
    }),
    verifyDomain: asks('/domains/{id}/verify', 'prove', {
      ...beyond,
      summary: 'Looks for the TXT record of a domain, and connects the domain',
      wanted: published,
    }),
    removeDomain: removes('/domains/{id}', {
      ...beyond,
      summary: 'Disconnects a domain. Its pages are no longer served there',
    }),
  },
})
