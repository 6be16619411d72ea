import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, creates, removes } from '../../resources/writes.ts'
import { domain } from './model.ts'
import { requestedDomain } from './request.ts'
import { domains, proofName } from './rules.ts'

/** Returns the requested name in ASCII, with the proof that its owner has to publish. */
const requested = ({ fields, token, external }: WriteInput): JsonObject | Refusal =>
  requestedDomain(String(fields.name ?? ''), external.hosts, token)

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
      consequence: null,
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
