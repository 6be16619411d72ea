import type { Address } from '../../index.d.ts'

export type FieldName = Exclude<keyof Address, 'organization'>

export interface FieldPlan {
  readonly name: FieldName
  readonly label: string
  /** Token of `autocomplete`, after `shipping` or `billing`. */
  readonly autocomplete: string
  /** End of the class `cf-sdk-address-field--…` of the wrapper. */
  readonly hook: string
  readonly isRequired: boolean
}

/** Fields of an address, in the order in which they stand. The country comes first, because others depend on it. */
export const FIELDS: readonly FieldPlan[] = [
  { name: 'country', label: 'Country', autocomplete: 'country', hook: 'country', isRequired: true },
  { name: 'name', label: 'Full name', autocomplete: 'name', hook: 'name', isRequired: false },
  { name: 'street', label: 'Address', autocomplete: 'address-line1', hook: 'address', isRequired: true },
  {
    name: 'street_two',
    label: 'Apartment, suite (optional)',
    autocomplete: 'address-line2',
    hook: 'address-two',
    isRequired: false,
  },
  { name: 'city', label: 'City', autocomplete: 'address-level2', hook: 'city', isRequired: true },
  { name: 'region', label: 'State or province', autocomplete: 'address-level1', hook: 'region', isRequired: false },
  { name: 'postal_code', label: 'Postal code', autocomplete: 'postal-code', hook: 'postal-code', isRequired: false },
]
