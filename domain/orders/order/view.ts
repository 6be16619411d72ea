import { type TSchema, Type } from 'typebox'
import { workspaceWhole } from '../../account/public.ts'
import { contactWhole } from '../../contacts/public.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import { type Shape, shape, type ViewParts } from '../../resources/view.ts'
import { discountsOn } from '../../store/public.ts'
import { orderVisits } from '../../visits/public.ts'
import type { order } from './model.ts'

const absent = (schema: TSchema) => ({ schema: nullable(schema), of: () => null })
const none = (schema: TSchema) => ({ schema: Type.Array(schema), of: () => [] })
const text = Type.String()
const naming = { id: Type.Integer(), public_id: text, name: text }

/** Fields that an order shows everywhere besides its attributes. External orders have no channel and no page. */
export const orderBaseParts: ViewParts<typeof order> = {
  contact: { one: 'contact_id', shows: contactWhole },
  origination_channel_id: { schema: Type.Integer(), of: () => 0 },
  origination_channel_type: absent(text),
  origination_channel_name: absent(text),
  origination_channel_public_id: absent(text),
  affiliate: absent(Type.Object({ name: text, email: nullableString })),
  referral_code: absent(Type.Object({ code: text, default: nullable(Type.Boolean()) })),
  order_page: absent(Type.Object(naming)),
}

/**
 * Fields that an order shows on its own besides its attributes.
 *
 * @param lineItems shape of its line items
 */
export const orderParts = (lineItems: Shape): ViewParts<typeof order> => ({
  ...orderBaseParts,
  line_items: { children: 'line_items', shows: lineItems, orNull: true },
  workspace: {
    schema: workspaceWhole.schema,
    of: async ({ workspace_id }, load) => {
      const found = await load.one('workspace', workspace_id)
      return found && workspaceWhole.of(found, load)
    },
  },
  phone_number: { schema: nullableString, of: ({ shipping_address_phone_number }) => shipping_address_phone_number },
  page_id: absent(Type.Integer()),
  page_name: absent(text),
  funnel_name: absent(text),
  tax_amount: absent(text),
  discount_ids: {
    schema: Type.Array(Type.Integer()),
    of: ({ id }, load) => discountsOn(id, load),
  },
  workspace_sharing_id: absent(text),
  resource_install_intent: absent(text),
  contact_groups: none(Type.Object(naming)),
  segments: none(Type.Object(naming)),
  previous_line_item: absent(text),
  visits: {
    schema: orderVisits.schema,
    of: ({ contact_id, created_at }, load) => orderVisits.of(contact_id, created_at, load),
  },
})

export const productNamed = shape({ id: Type.Integer(), public_id: nullableString, name: text })
