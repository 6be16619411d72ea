import { Type } from 'typebox'
import { text } from '../../kernel/model/fields.ts'
import { keyOfWorkspace } from '../../kernel/model/personal.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, list, show, textFilter, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { RECEIVER, SECRET_BEGINS } from '../providers.ts'
import { endpoint } from './model.ts'
import { endpoints } from './rules.ts'

const ENDPOINTS = '/workspaces/{workspace_id}/webhooks/incoming/external_purchase_endpoints'
const ONE = '/webhooks/incoming/external_purchase_endpoints/{id}'
const beyondContract = true

/** Seals the secret under the key of the workspace; only its last four letters are shown. A blank secret is ignored. */
const keyed = async ({ fields: { secret, ...fields }, document, vault }: WriteInput) => {
  const given = typeof secret === 'string' ? secret.trim() : ''
  if (given === '') return fields
  if (!given.startsWith(SECRET_BEGINS) || given.length < SECRET_BEGINS.length + 8)
    return refuse.invalid('secret is not a Whop signing secret', 'secret', 'invalid')
  return {
    ...fields,
    webhook_secret: await vault.seal(keyOfWorkspace(Number(document?.workspace_id)), { secret: given }),
    webhook_secret_last_four: given.slice(-4),
  }
}

/**
 * Webhooks::Incoming::ExternalPurchases::Endpoint: receiver of a provider's reports, and the secret that signs them.
 */
export const endpointResource = serve(endpoint, endpoints, {
  title: 'Webhooks::Incoming::ExternalPurchases::Endpoint',
  root: 'webhooks_incoming_external_purchases_endpoint',
  category: 'webhooks',
  under: workspace,
  view: {
    url: {
      schema: Type.String({ description: 'Where the provider is to send its webhooks' }),
      of: ({ public_id }, load) => load.publicUrl(`${RECEIVER}${public_id}`),
    },
    provider_metadata: {
      schema: Type.Record(Type.String(), Type.Object({})),
      of: ({ provider }) => ({ [provider]: {} }),
    },
  },
  operations: {
    listWebhooksIncomingExternalPurchaseEndpoints: list(ENDPOINTS, {
      beyondContract,
      filters: { id: byId, provider: textFilter('provider'), live_mode: flagFilter('live_mode') },
    }),
    createWebhooksIncomingExternalPurchaseEndpoints: creates(ENDPOINTS, {
      consequence: 'lets another system record sales',
      beyondContract,
    }),
    getWebhooksIncomingExternalPurchaseEndpoints: show(ONE, { beyondContract }),
    updateWebhooksIncomingExternalPurchaseEndpoints: changes(ONE, {
      consequence: 'changes how another system records sales',
      beyondContract,
      method: 'PATCH',
      input: {
        secret: text({
          nullable: true,
          about:
            'The signing secret that the provider issued, from now on; kept sealed and never shown. A blank one is ignored',
        }),
      },
      wanted: keyed,
    }),
    removeWebhooksIncomingExternalPurchaseEndpoints: removes(ONE, { beyondContract }),
  },
})
