import type { Family } from '../resources/family.ts'
import { fulfillmentLineItemResource, fulfillmentResource } from './fulfillment/index.ts'
import { restockLineItemResource, restockResource } from './restock/index.ts'

/** Fulfilments and restocks of orders. */
export const fulfillment: Family = {
  resources: [fulfillmentResource, fulfillmentLineItemResource, restockResource, restockLineItemResource],
}
