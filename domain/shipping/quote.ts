/** Destination of a shipment. */
export interface Destination {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string
  /** ISO 3166-2, as in zones: `US-AK`. */
  readonly region?: string | undefined
}

/** Rate with a fixed price. */
export interface QuotedRate {
  readonly id: number
  /** Name at the checkout. Rates of several profiles with the same name are combined. */
  readonly name: string
  /** In minor units. */
  readonly amount: bigint
}

export interface QuotedZone {
  readonly country_ids: readonly string[]
  readonly region_ids: readonly string[]
  readonly includes_rest_of_world: boolean
  readonly rates: readonly QuotedRate[]
}

export interface QuotedProfile {
  readonly variant_ids: readonly number[]
  readonly zones: readonly QuotedZone[]
}

/** Way to ship a whole cart. */
export interface ShippingOption {
  /** Ids of its rates, joined by `+`. */
  readonly id: string
  readonly name: string | null
  /** In minor units. */
  readonly amount: bigint
}

/**
 * Zone for a destination: first one that names the region, then one that names the country, then the rest of the world.
 */
export const zoneFor = <Z extends Omit<QuotedZone, 'rates'>>(
  zones: readonly Z[],
  { country, region }: Destination,
): Z | undefined =>
  zones.find(({ region_ids }) => region !== undefined && region_ids.includes(region)) ??
  zones.find(({ country_ids }) => country_ids.includes(country)) ??
  zones.find(({ includes_rest_of_world }) => includes_rest_of_world)

const inOrder = (a: QuotedRate, b: QuotedRate): number =>
  a.amount === b.amount ? a.id - b.id : a.amount < b.amount ? -1 : 1

const together = (rates: readonly QuotedRate[]): ShippingOption => {
  const names = new Set(rates.map(({ name }) => name))
  return {
    id: rates.map(({ id }) => id).join('+'),
    name: [...names].join(' + '),
    amount: rates.reduce((sum, { amount }) => sum + amount, 0n),
  }
}

/** Combines the cheapest rate of each profile with a name, if all profiles have one. */
const named = (all: readonly (readonly QuotedRate[])[], name: string): readonly ShippingOption[] => {
  const rates = all.flatMap((one) => one.find((rate) => rate.name === name) ?? [])
  return rates.length === all.length ? [together(rates)] : []
}

/**
 * Shipping options of a cart, cheapest first (spec 4.5). A cart with a single profile has the rates of its zone. A cart
 * with several profiles pays the sum of the cheapest rate of each, or of the rates with one name. Variants in no
 * profile ship free. Returns no options when one of the profiles does not ship to the destination.
 *
 * @param variantIds variants to ship
 * @param profiles in the order of their ids
 */
export const quote = (
  variantIds: readonly number[],
  profiles: readonly QuotedProfile[],
  destination: Destination,
): readonly ShippingOption[] => {
  const concerned = profiles.filter(({ variant_ids }) => variant_ids.some((id) => variantIds.includes(id)))
  if (variantIds.length === 0) return []
  if (concerned.length === 0) return [{ id: 'free', name: null, amount: 0n }]
  const all = concerned.map(({ zones }) => [...(zoneFor(zones, destination)?.rates ?? [])].sort(inOrder))
  const [first = []] = all
  if (all.some((rates) => rates.length === 0)) return []
  const options =
    all.length === 1
      ? first.map((rate) => together([rate]))
      : [
          together(all.flatMap((rates) => rates.slice(0, 1))),
          ...[...new Set(first.map(({ name }) => name))].flatMap((name) => named(all, name)),
        ]
  const distinct = [...new Map(options.map((option) => [option.id, option])).values()]
  // The sort is stable: options with the same price keep the order of their rates, the cheapest combination first.
  return distinct.sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? -1 : 1))
}
