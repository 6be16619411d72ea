import type { Family } from '../resources/family.ts'
import { endpointResource } from './endpoint/index.ts'
import { mappingResource } from './mapping.ts'
import { ordersFollowPurchases } from './orders-follow.ts'
import { deliveryResource, purchaseResource } from './purchase/index.ts'

/** Purchases that are made elsewhere and become orders here. */
export const purchases: Family = {
  resources: [endpointResource, mappingResource, purchaseResource, deliveryResource],
  policies: [ordersFollowPurchases],
}
