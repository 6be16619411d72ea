import { Type } from 'typebox'
import { crud } from '../../resources/crud.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { locationGroup, profile, rate, zone } from './model.ts'
import { profiles } from './rules.ts'

const PROFILES = '/workspaces/{workspace_id}/shipping/profiles'
const GROUPS = '/shipping/profiles/{profile_id}/location_groups'
const ZONES = '/shipping/location_groups/{location_group_id}/zones'
const RATES = '/shipping/zones/{zone_id}/rates'

/** Shipping::Profile. */
export const profileResource = serve(profile, profiles, {
  title: 'Shipping::Profile',
  root: 'shipping_profile',
  category: 'store',
  under: workspace,
  indexes: [{ fields: ['variant_ids'] }],
  operations: crud('ShippingProfiles', PROFILES, '/shipping/profiles/{id}', { create: { ids: () => 1 } }),
})

/** Shipping::LocationGroup: created and removed with its profile; contains every location of the workspace. */
export const locationGroupResource = serve(locationGroup, profiles, {
  title: 'Shipping::LocationGroup',
  root: 'shipping_location_group',
  category: 'store',
  under: { param: 'profile_id', resource: 'shipping/profile', field: 'profile_id' },
  view: {
    fulfillments_location_ids: {
      schema: nullable(Type.Array(Type.Integer())),
      of: async ({ workspace_id = 0 }, load) =>
        (await load.where('fulfillments/location', 'workspace_id', workspace_id)).map(({ id }) => Number(id)),
    },
  },
  operations: {
    listShippingLocationGroups: list(GROUPS),
    getShippingLocationGroups: show('/shipping/location_groups/{id}'),
  },
})

/** Shipping::Zone. */
export const zoneResource = serve(zone, profiles, {
  title: 'Shipping::Zone',
  root: 'shipping_zone',
  category: 'store',
  under: { param: 'location_group_id', resource: 'shipping/location_group', field: 'location_group_id' },
  reads: ['address_filter'],
  operations: crud('ShippingZones', ZONES, '/shipping/zones/{id}'),
})

/** Shipping::Rate; its description is its rate name. */
export const rateResource = serve(rate, profiles, {
  title: 'Shipping::Rate',
  root: 'shipping_rate',
  category: 'store',
  under: { param: 'zone_id', resource: 'shipping/zone', field: 'zone_id' },
  indexes: [{ fields: ['rates_name_id'] }],
  view: {
    description: {
      schema: nullableString,
      of: async ({ rates_name_id }, load) => {
        const found = await load.one('shipping/rates/name', rates_name_id)
        return found ? String(found.name) : null
      },
    },
  },
  operations: crud('ShippingRates', RATES, '/shipping/rates/{id}', {
    create: { consequence: 'changes what buyers pay' },
    change: { consequence: 'changes what buyers pay' },
  }),
})
