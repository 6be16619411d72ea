import type { Family } from '../kinds/family.ts'
import { fulfillmentLineItemResource, fulfillmentResource } from './fulfillment/index.ts'
import { locationResource } from './location.ts'
import { restockLineItemResource, restockResource } from './restock/index.ts'
import { stockResource } from './stock/index.ts'

/** How what was sold reaches whoever bought it. */
export const fulfillment: Family = {
  resources: [
    fulfillmentResource,
    fulfillmentLineItemResource,
    restockResource,
    restockLineItemResource,
    locationResource,
    stockResource,
  ],
}
