import { regionIn } from '../../addresses/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Tax } from '../../pricing/public.ts'
import type { taxRate } from './model.ts'

/** Where something is sold to, as far as it matters to taxes. */
export interface TaxAddress {
  /** ISO 3166-1 alpha-2 code, in either case. */
  readonly country: string | null
  /** Code or name. */
  readonly region: string | null
}

type Rate = Pick<RecordOf<typeof taxRate>, 'id' | 'country' | 'region' | 'percent' | 'on_shipping'>

/** The taxes of a table at an address: those of its country and those of its region, which are added. `key` of each is the id of the rate. */
export const taxOf = (rates: readonly Rate[], { country, region }: TaxAddress): Tax => {
  const [of, at] = [country?.trim().toUpperCase() ?? '', region ?? '']
  const code = at.trim() === '' ? undefined : regionIn(of, at)?.code
  const here = rates.filter((rate) => rate.country === of && (rate.region === null || rate.region === code))
  return (on) =>
    here.flatMap(({ id, percent, on_shipping }) =>
      on === 'shipping' && !on_shipping ? [] : [{ key: String(id), percent }],
    )
}
