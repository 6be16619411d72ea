import type { Family } from '../resources/family.ts'
import { productCollection } from './collection.ts'
import { discountResource } from './discount/index.ts'
import { redemptionResource } from './discount/redemption.ts'
import { discountsAreApplied } from './policies.ts'
import { changeOptionResource } from './price/change-options.ts'
import { priceResource } from './price/index.ts'
import { productResource, variantResource } from './product/index.ts'
import { storefront } from './storefront.ts'
import { productTag } from './tag.ts'
import { taxRateResource } from './tax-rate/index.ts'

/** Products, prices, discounts, taxes and storefronts of a workspace. */
export const store: Family = {
  resources: [
    productResource,
    variantResource,
    priceResource,
    changeOptionResource,
    productCollection,
    productTag,
    storefront,
    discountResource,
    redemptionResource,
    taxRateResource,
  ],
  policies: [discountsAreApplied],
}
