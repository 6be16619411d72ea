import type { Family } from '../resources/family.ts'
import { packageResource } from './package/index.ts'
import { defaultPackageYields } from './policies.ts'
import { locationGroupResource, profileResource, rateResource, zoneResource } from './profile/index.ts'
import { rateNameResource } from './rate-name.ts'

/** Shipping profiles, rates and packages. */
export const shipping: Family = {
  resources: [profileResource, locationGroupResource, zoneResource, rateResource, rateNameResource, packageResource],
  policies: [defaultPackageYields],
}
