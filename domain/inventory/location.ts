import { Type } from 'typebox'
import { countryCode } from '../addresses/public.ts'
import { decider } from '../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../kernel/decide/rules.ts'
import { sequence, type Values } from '../kernel/model/field.ts'
import { flag, group, integer, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { emailAddress } from '../resources/attributes/email-address.ts'
import { crud } from '../resources/crud.ts'
import { workspace } from '../resources/operations.ts'
import { nullableString } from '../resources/schemas.ts'
import { serve } from '../resources/serve.ts'
import { stock } from './stock/model.ts'

const LOCATIONS = '/workspaces/{workspace_id}/fulfillments/locations'

const line = () => text({ nullable: true, emptyIsNull: true })
const address = {
  address_one: line(),
  address_two: line(),
  city: line(),
  region: line(),
  country: countryCode({ nullable: true }),
  postal_code: line(),
}
type Address = Values<typeof address>
const NOWHERE = Object.fromEntries(Object.keys(address).map((name) => [name, null]))
const shown = Type.Object(Object.fromEntries(Object.keys(address).map((name) => [name, nullableString])))

/** Place where goods are stored and shipped from. */
export const location = model('fulfillments/location', {
  attributes: {
    name: text({ required: true }),
    address_name: text({ required: true }),
    email_address: emailAddress({ required: true }),
    phone_number: text({ nullable: true }),
    sort_order: sequence(integer({ required: true })),
    archived: flag({ initial: false }),
    external_app: flag({ initial: false, about: 'Only an OAuth 2.0 access token may set it' }),
    address: group(address, {
      required: true,
      shown: { schema: shown },
    }),
  },
  events: {
    FulfillmentsLocationOpened: { creates: true },
    FulfillmentsLocationChanged: { changes: 'rest' },
    FulfillmentsLocationClosed: { ends: true },
  },
})

type Location = DecisionContext<typeof location>

/** Refuses `external_app`: there are no OAuth tokens yet. */
const byHand = ({ before, after }: Location) =>
  after.external_app && !before?.external_app
    ? refuse.invalid('External app can only be set with an OAuth 2.0 access token', 'external_app', 'forbidden')
    : undefined

/** Merges the parts of the address that were sent into the stored address. */
const settle = ({ before, after }: Location) => {
  const whole: Partial<Address> = { ...NOWHERE, ...before?.address, ...after.address }
  return Object.values(whole).every((value) => value === null)
    ? refuse.invalid("Address can't be blank", 'address', 'blank')
    : { address: whole }
}

/** Whether stock lies at the location. */
const isUsed = async ({ act, id }: Location, read: Reader): Promise<boolean> =>
  act === 'remove' && (await read.find(stock, { where: { location_ids: id }, limit: 1 })).length > 0

const preventRemoval = (_: ActContext<typeof location>, used: boolean) =>
  used ? refuse.invalid('A location with stock cannot be deleted', 'id', 'occupied') : undefined

export const locations = decider(location, {
  rules: rules(location, { loadFacts: isUsed, save: [byHand, settle], preventRemoval }),
})

/** Fulfillments::Location. */
export const locationResource = serve(location, locations, {
  title: 'Fulfillments::Location',
  root: 'fulfillments_location',
  category: 'store',
  under: workspace,
  operations: crud('FulfillmentsLocations', LOCATIONS, '/fulfillments/locations/{id}', {
    list: { sorts: ['id', 'updated_at', 'sort_order'] },
  }),
})
