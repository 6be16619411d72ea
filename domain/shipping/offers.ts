import { regionIn } from '../addresses/public.ts'
import type { Reader } from '../kernel/decide/rules.ts'
import { minorOf } from '../kernel/values/money.ts'
import { profile, rate, zone } from './profile/model.ts'
import type { Destination, QuotedProfile } from './quote.ts'
import { rateName } from './rate-name.ts'

/** Destination of an address. A region is found by its code or name and takes the code that zones use. */
export const destinationOf = (country: string, region: string | null): Destination => {
  const found = region === null ? undefined : regionIn(country, region)
  return { country, ...(found && { region: `${country}-${found.code}` }) }
}

/**
 * Shipping profiles that contain some of the variants, with their rates. Rates of live providers are
 * left out: no provider is called.
 */
export const profilesOf = async (variantIds: readonly number[], read: Reader): Promise<readonly QuotedProfile[]> => {
  if (variantIds.length === 0) return []
  const own = await read.find(profile, { where: { variant_ids: { $in: variantIds } } })
  if (own.length === 0) return []
  const where = { profile_id: { $in: own.map(({ id }) => id) } }
  const [zones, rates] = await Promise.all([read.find(zone, { where }), read.find(rate, { where })])
  const fixed = rates.filter(({ live_rates_provider }) => live_rates_provider === null)
  const names = await read.many(rateName, [...new Set(fixed.map(({ rates_name_id }) => rates_name_id))])
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const ratesOf = (zoneId: number) =>
    fixed
      .filter(({ zone_id }) => zone_id === zoneId)
      .map(({ id, rates_name_id, price, price_currency }) => ({
        id,
        name: nameOf.get(rates_name_id) ?? '',
        amount: minorOf(price, (price_currency ?? '').toUpperCase()),
      }))
  return own.map(({ id, variant_ids }) => ({
    variant_ids,
    zones: zones
      .filter(({ profile_id }) => profile_id === id)
      .map(({ id: zoneId, country_ids, region_ids, includes_rest_of_world }) => ({
        country_ids: country_ids.filter((code) => code !== null),
        region_ids,
        includes_rest_of_world: includes_rest_of_world ?? false,
        rates: ratesOf(zoneId),
      })),
  }))
}
