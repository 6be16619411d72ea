import type { Family } from '../resources/family.ts'
import { fulfillmentLineItemResource, fulfillmentResource } from './fulfillment/index.ts'
import { restockLineItemResource, restockResource } from './restock/index.ts'

/** How what was sold reaches its buyers. */
export const fulfillment: Family = {
  resources: [fulfillmentResource, fulfillmentLineItemResource, restockResource, restockLineItemResource],
}
