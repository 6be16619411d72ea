import { text } from '../kernel/model/fields.ts'

const line = () => text({ nullable: true, emptyIsNull: true, personal: true })

/** Shipping and billing address of an order. */
export const addresses = {
  shipping_address_first_name: line(),
  shipping_address_last_name: line(),
  shipping_address_organization_name: line(),
  shipping_address_phone_number: line(),
  shipping_address_street_one: line(),
  shipping_address_street_two: line(),
  shipping_address_city: line(),
  shipping_address_region: line(),
  shipping_address_country: line(),
  shipping_address_postal_code: line(),
  billing_address_street_one: line(),
  billing_address_street_two: line(),
  billing_address_city: line(),
  billing_address_region: line(),
  billing_address_country: line(),
  billing_address_postal_code: line(),
}
