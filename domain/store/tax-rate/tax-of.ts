import { regionIn } from '../../addresses/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Tax } from '../../pricing/public.ts'
import type { taxRate } from './model.ts'

/** Parts of the buyer's address that decide its taxes. */
export interface TaxAddress {
  /** ISO 3166-1 alpha-2 code, in either case. */
  readonly country: string | null
  /** Code or name. */
  readonly region: string | null
}

type Rate = Pick<RecordOf<typeof taxRate>, 'id' | 'country' | 'region' | 'percent' | 'on_shipping'>

/**
 * Taxes at an address: the rates of its country and of its region, which are added up. The `key` of each is the id of
 * its rate.
 */
export const taxOf = (rates: readonly Rate[], { country, region }: TaxAddress): Tax => {
  const [countryCode, place] = [country?.trim().toUpperCase() ?? '', region ?? '']
  const code = place.trim() === '' ? undefined : regionIn(countryCode, place)?.code
  const here = rates.filter((rate) => rate.country === countryCode && (rate.region === null || rate.region === code))
  return (on) =>
    here.flatMap(({ id, percent, on_shipping }) =>
      on === 'shipping' && !on_shipping ? [] : [{ key: String(id), percent }],
    )
}
