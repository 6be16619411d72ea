/** Where something is to go, as far as it is known. */
export interface Destination {
  /** ISO 3166-1 alpha-2, in capitals. */
  readonly country: string
  /** ISO 3166-2, as zones name it: `US-AK`. */
  readonly region?: string | undefined
}

/** A rate that goes by a fixed price. */
export interface QuotedRate {
  readonly id: number
  /** What it is called; rates of several profiles go together when they have the same. */
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

/** A way in which everything of a cart can be shipped. */
export interface ShippingOption {
  /** The ids of its rates, joined by `+`. */
  readonly id: string
  readonly name: string | null
  /** In minor units. */
  readonly amount: bigint
}

/** The zone that ships somewhere: one that names the region comes before one that names the country, and that before the rest of the world. */
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

/** The cheapest rate of each profile with one name, where all have one. */
const named = (all: readonly (readonly QuotedRate[])[], name: string): readonly ShippingOption[] => {
  const rates = all.flatMap((one) => one.find((rate) => rate.name === name) ?? [])
  return rates.length === all.length ? [together(rates)] : []
}

/**
 * How a cart can be shipped, cheapest first (spec 4.5). Of a single profile these are the rates of its zone. A cart of several profiles pays the
 * sum of the cheapest rate of each, or of rates with the same name. What is in no profile costs nothing to ship; none at all, when one of the
 * profiles does not ship there.
 *
 * @param variantIds what is shipped
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
  // Equally dear ones stay in the order of their rates, the cheapest rate of each in front.
  return distinct.sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? -1 : 1))
}
