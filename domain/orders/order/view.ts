import { type TSchema, Type } from 'typebox'
import { workspaceWhole } from '../../account/public.ts'
import { contactWhole } from '../../contacts/public.ts'
import { undeliveredMails } from '../../emails/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import { type Shape, shape, type ViewParts } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { discountsOn } from '../../store/public.ts'
import { orderVisits } from '../../visits/public.ts'
import { invoice } from '../invoice/model.ts'
import { taxIn } from '../tax-of-order.ts'
import type { order } from './model.ts'

const absent = (schema: TSchema) => ({ schema: nullable(schema), of: () => null })
const none = (schema: TSchema) => ({ schema: Type.Array(schema), of: () => [] })
const text = Type.String()
type Sold = Pick<RecordOf<typeof order>, 'sold_page_id' | 'sold_funnel_id'>
const naming = { id: Type.Integer(), public_id: text, name: text }

/** Shows a field of the funnel that sold an order; `null` for one that no page of ours sold. A funnel that is gone is shown as it was at last. */
const ofFunnel = (name: 'name' | 'public_id') => ({
  schema: nullableString,
  of: async ({ sold_funnel_id }: Sold, load: Loader) => {
    if (sold_funnel_id === null) return null
    const found = (await load.one('funnel', sold_funnel_id)) ?? (await load.last('funnel', sold_funnel_id))
    return found ? String(found[name]) : null
  },
})

/** Returns the page that sold an order. One that is gone is shown as it was at last. */
const pageOf = async ({ sold_page_id }: Sold, load: Loader): Promise<Document | undefined> =>
  sold_page_id === null ? undefined : ((await load.one('page', sold_page_id)) ?? load.last('page', sold_page_id))

/** Fields that an order shows everywhere besides its attributes. Its channel is the funnel that sold it. External orders have none, and no page. */
export const orderBaseParts: ViewParts<typeof order> = {
  contact: { one: 'contact_id', shows: contactWhole },
  origination_channel_id: { schema: Type.Integer(), of: ({ sold_funnel_id }) => sold_funnel_id ?? 0 },
  origination_channel_type: {
    schema: nullableString,
    of: ({ sold_funnel_id }) => (sold_funnel_id === null ? null : 'Funnel'),
  },
  origination_channel_name: ofFunnel('name'),
  origination_channel_public_id: ofFunnel('public_id'),
  affiliate: absent(Type.Object({ name: text, email: nullableString })),
  referral_code: absent(Type.Object({ code: text, default: nullable(Type.Boolean()) })),
  order_page: {
    schema: nullable(Type.Object(naming)),
    of: async (record, load) => {
      const page = await pageOf(record, load)
      return page ? { id: page.id, public_id: String(page.public_id), name: String(page.name) } : null
    },
  },
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
  page_id: { schema: nullable(Type.Integer()), of: ({ sold_page_id }) => sold_page_id },
  page_name: {
    schema: nullableString,
    of: async (record, load) => {
      const page = await pageOf(record, load)
      return page ? String(page.name) : null
    },
  },
  funnel_name: ofFunnel('name'),
  tax_amount: {
    schema: nullableString,
    of: async ({ id }, load) => taxIn((await load.where(invoice.name, 'order_id', id))[0]),
  },
  discount_ids: {
    schema: Type.Array(Type.Integer()),
    of: ({ id }, load) => discountsOn(id, load),
  },
  workspace_sharing_id: absent(text),
  resource_install_intent: absent(text),
  contact_groups: none(Type.Object(naming)),
  segments: none(Type.Object(naming)),
  previous_line_item: absent(text),
  undelivered_mails: undeliveredMails,
  visits: {
    schema: orderVisits.schema,
    of: (record, load) => orderVisits.of(record, load),
  },
})

export const productNamed = shape({ id: Type.Integer(), public_id: nullableString, name: text })
