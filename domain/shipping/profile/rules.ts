import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { ClaimRequest } from '../../kernel/model/claim.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { profile, rate, zone } from './model.ts'

type Profile = DecisionContext<typeof profile>
type Zone = DecisionContext<typeof zone>
type Rate = DecisionContext<typeof rate>

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

const begin = ({ before, ids, after }: Profile) => ({
  variant_ids: distinct(after.variant_ids),
  ...(!before && { location_group_id: idAt(ids, 0) }),
})

/**
 * Refuses a destination that another zone of the profile has, so that its price is clear. A region may be in another
 * zone than its country.
 */
const apart = ({ id, after, records }: Zone) => {
  const others = records.all(zone).filter((one) => one.id !== id)
  // An empty text becomes null and names no country.
  const country_ids = distinct(after.country_ids.filter((code) => code !== null))
  const region_ids = distinct(after.region_ids)
  const taken = (name: 'country_ids' | 'region_ids', own: readonly string[]) => {
    const found = own.find((code) => others.some((one) => one[name].includes(code)))
    const label = name === 'country_ids' ? 'Country ids' : 'Region ids'
    return found === undefined
      ? undefined
      : refuse.invalid(`${label} contain ${found}, which is in another zone`, name, 'taken')
  }
  if (after.includes_rest_of_world && others.some((one) => one.includes_rest_of_world))
    return refuse.invalid('Includes rest of world is true of another zone', 'includes_rest_of_world', 'taken')
  return taken('country_ids', country_ids) ?? taken('region_ids', region_ids) ?? { country_ids, region_ids }
}

const removeZone = ({ id, records }: ActContext<typeof zone>) => {
  const rates = records.all(rate).filter(({ zone_id }) => zone_id === id)
  return [profile.event.ShippingZoneRemoved({ zone_id: id, rate_ids: rates.map((one) => one.id) })]
}

const currencyOf = async ({ before, workspaceId }: Rate, { documents }: Reader) =>
  String((await documents.get('workspace', before?.workspace_id ?? workspaceId))?.currency ?? 'USD')

/** Requires the currency of the workspace, in either case. */
const cost = ({ before, wanted, after }: Rate, currency: string) => {
  const own = before?.price_currency ?? currency.toLowerCase()
  const sent = wanted.price_currency ?? own
  if (sent.toLowerCase() !== own)
    return refuse.invalid(`Price currency must be ${own}, the workspace's`, 'price_currency', 'inclusion')
  const price = normalizeAmount(after.price, own.toUpperCase())
  if (price === undefined) {
    const says = `Price must be an amount with at most ${scaleOf(own.toUpperCase())} decimals`
    return refuse.invalid(says, 'price', 'invalid')
  }
  return price.startsWith('-')
    ? refuse.invalid('Price must be greater than or equal to 0', 'price', 'too_small')
    : { price, price_currency: own }
}

/** Claims by which each variant is in one profile at most. */
const claims = ({ variant_ids, workspace_id }: ActContext<typeof profile>['before']): readonly ClaimRequest[] =>
  variant_ids.map((id) => ({
    scope: `shipping/profile.variant:${workspace_id}`,
    value: String(id),
    field: 'variant_ids',
    says: `Variant ids contain ${id}, which is in another shipping profile`,
  }))

/** Rules of a shipping profile with its zones and rates. */
export const profiles = decider(profile, {
  rules: rules(profile, { save: [begin] }),
  children: [rules(zone, { save: [apart], remove: removeZone }), rules(rate, { loadFacts: currencyOf, save: [cost] })],
  claims,
})
