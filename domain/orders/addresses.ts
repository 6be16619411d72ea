import { addressCountry, addressRegion } from '../addresses/public.ts'
import { text } from '../kernel/model/fields.ts'

const line = () => text({ nullable: true, emptyIsNull: true, personal: true })
const country = () => addressCountry({ nullable: true, personal: true })

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
  shipping_address_country: country(),
  shipping_address_postal_code: line(),
  billing_address_street_one: line(),
  billing_address_street_two: line(),
  billing_address_city: line(),
  billing_address_region: line(),
  billing_address_country: country(),
  billing_address_postal_code: line(),
}

const KINDS = ['shipping', 'billing'] as const

type Places = { readonly [name in `${(typeof KINDS)[number]}_address_${'region' | 'country'}`]: string | null }

/** Replaces the regions of addresses by their codes, since taxes and shipping depend on them. Addresses from before stay as they are. */
export const understandRegions = ({
  before,
  after,
}: {
  readonly before: Places | undefined
  readonly after: Places
}) => {
  const regions: { -readonly [name in keyof Places]?: string } = {}
  for (const kind of KINDS) {
    const name = `${kind}_address_region` as const
    const { [name]: region, [`${kind}_address_country` as const]: code } = after
    const isSame = before?.[name] === region && before?.[`${kind}_address_country`] === code
    if (region !== null && code !== null && !isSame) regions[name] = addressRegion(code, region)
  }
  return regions
}
