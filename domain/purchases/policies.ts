import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { endpoint } from './endpoint/model.ts'
import { mapping, mappings } from './mapping.ts'

/** Removes the mappings of an endpoint that is removed. */
export const mappingsGoWithEndpoint = policy({
  name: 'external-product-mappings-go-with-endpoint',
  on: [endpoint.event.ExternalPurchaseEndpointRemoved],
  react: ({ stream }) => [
    {
      each: mapping.name,
      where: { external_purchase_endpoint_id: parseStream(stream).id },
      one: (id) => ask(mappings, id, 'remove', {}),
    },
  ],
})
