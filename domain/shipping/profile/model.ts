import { Type } from 'typebox'
import { countryCode, regionId } from '../../addresses/public.ts'
import { managed } from '../../kernel/model/field.ts'
import { amount, choice, flag, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { idAsText } from '../../resources/schemas.ts'

type Grouped = { readonly location_group_id: number }
type Named = Grouped & { readonly name?: string }
const ofGroup = ({ location_group_id }: Grouped) => [location_group_id]
const renamed = (_: unknown, { name }: Named) => (name === undefined ? {} : { name })

/** Locations that a profile ships from. Each profile has one group, which shares its name. */
export const locationGroup = model('shipping/location_group', {
  stream: 'shipping/profile',
  owner: 'profile_id',
  attributes: { name: text({ required: true }) },
  events: {
    ShippingProfileCreated: { of: ofGroup, evolve: renamed },
    ShippingProfileChanged: { of: ofGroup, evolve: renamed },
  },
})

/** Destinations of a profile with the same rates. */
export const zone = model('shipping/zone', {
  stream: 'shipping/profile',
  owner: 'profile_id',
  attributes: {
    location_group_id: managed(reference('shipping/location_group', { required: true })),
    name: text({ required: true }),
    address_filter_id: reference('address_filter', { nullable: true, emptyIsNull: true, shown: idAsText }),
    region_ids: list(regionId(), { nullable: true, initial: [], about: 'ISO 3166-2 codes, such as US-AK' }),
    country_ids: list(countryCode(), { nullable: true, initial: [], about: 'ISO 3166-1 alpha-2 codes' }),
    includes_rest_of_world: flag({ nullable: true, initial: false }),
  },
  events: {
    ShippingZoneAdded: { creates: true },
    ShippingZoneChanged: { changes: 'rest' },
    ShippingZoneRemoved: { ends: true },
  },
})

/** Price of shipping to a zone. */
export const rate = model('shipping/rate', {
  stream: 'shipping/profile',
  owner: 'profile_id',
  attributes: {
    zone_id: managed(reference('shipping/zone', { required: true })),
    provider_name: text({ nullable: true }),
    price: amount({ required: true, shown: { schema: Type.String() } }),
    price_currency: text({ nullable: true, about: "The workspace's" }),
    rates_name_id: reference('shipping/rates/name', { required: true, onTargetEnd: { act: 'remove' } }),
    live_rates_provider: choice(['Shippo'], { nullable: true }),
  },
  events: {
    ShippingRateAdded: { creates: true },
    ShippingRateChanged: { changes: 'rest' },
    ShippingRateRemoved: { ends: true },
    ShippingZoneRemoved: {
      of: ({ rate_ids }: { readonly rate_ids: readonly number[] }) => rate_ids,
      evolve: () => null,
    },
  },
})

/** Shipping settings for variants. The aggregate ensures that no destination is in two of its zones. */
export const profile = model('shipping/profile', {
  attributes: {
    name: text({ required: true }),
    variant_ids: list(reference('products/variant'), { nullable: true, initial: [], about: 'Replaces the variants' }),
    location_group_id: managed(reference('shipping/location_group', { required: true }), { shown: 'never' }),
  },
  events: {
    ShippingProfileCreated: { creates: true },
    ShippingProfileChanged: {
      changes: 'rest',
      addsData: ({ location_group_id }) => ({ location_group_id }),
    },
    ShippingProfileRemoved: { ends: true },
  },
  children: {
    location_groups: { model: locationGroup, key: 'location_group_id', keys: 'location_group_ids' },
    zones: { model: zone, key: 'zone_id', keys: 'zone_ids' },
    rates: { model: rate, key: 'rate_id', keys: 'rate_ids' },
  },
})
