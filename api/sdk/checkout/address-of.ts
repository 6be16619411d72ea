import type { AddressOnPage } from './read-cart.ts'
import type { CheckoutRecord } from './status.ts'

const nameOf = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(' ') || null

/** Returns the address to which a checkout was shipped; `null` where none was collected. */
export const shippingOf = (of: CheckoutRecord): AddressOnPage | null =>
  of.shipping_address_country === null || of.shipping_address_street_one === null
    ? null
    : {
        name: nameOf(of.shipping_address_first_name, of.shipping_address_last_name),
        organization: of.shipping_address_organization_name,
        street: of.shipping_address_street_one,
        street_two: of.shipping_address_street_two,
        city: of.shipping_address_city,
        region: of.shipping_address_region,
        postal_code: of.shipping_address_postal_code,
        country: of.shipping_address_country,
      }

/** Returns the billing address of a checkout; `null` where none was collected. */
export const billingOf = (of: CheckoutRecord): AddressOnPage | null =>
  of.billing_address_country === null || of.billing_address_street_one === null
    ? null
    : {
        name: null,
        organization: null,
        street: of.billing_address_street_one,
        street_two: of.billing_address_street_two,
        city: of.billing_address_city,
        region: of.billing_address_region,
        postal_code: of.billing_address_postal_code,
        country: of.billing_address_country,
      }
