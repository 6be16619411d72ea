import type { Family } from '../kinds/family.ts'
import { endpointResource } from './endpoint/index.ts'
import { mappingResource } from './mapping.ts'
import { mappingsGoWithEndpoint } from './policies.ts'

/** Purchases that are made elsewhere, and become orders here. */
export const purchases: Family = {
  resources: [endpointResource, mappingResource],
  policies: [mappingsGoWithEndpoint],
}
