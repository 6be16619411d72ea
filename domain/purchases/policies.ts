import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { mappings } from './mapping.ts'
import { MAPPING } from './providers.ts'

/** An endpoint that is removed takes its mappings along. */
export const mappingsGoWithEndpoint: Policy = {
  name: 'external-product-mappings-go-with-endpoint',
  on: ['ExternalPurchaseEndpointRemoved'],
  react: (event) => [
    {
      each: MAPPING,
      where: { external_purchase_endpoint_id: parseStream(event.stream).id },
      one: (id) => ({
        aggregate: mappings,
        id,
        command: () => ({ type: 'remove', id, wanted: {}, at: event.metadata.at, actor: workerActor('policies') }),
      }),
    },
  ],
}
