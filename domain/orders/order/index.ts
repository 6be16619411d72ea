import { contactByEmail } from '../../contacts/public.ts'
import { flag, group, list as listOf, reference, text } from '../../kernel/model/fields.ts'
import { isJsonObject } from '../../kernel/values/event.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { emailAddress } from '../../resources/attributes/email-address.ts'
import type { Selector, WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, idFilter, list, show, textFilter, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { priceMinimal, variantMinimal } from '../../store/public.ts'
import { movableDates, withDates } from '../billing/move-dates.ts'
import { linesSent, MOST_LINES } from '../lines-sent.ts'
import { workspaceStats } from '../record-stats.ts'
import { lineItem } from './line-item.ts'
import { appliedTag, order } from './model.ts'
import { orderPublications } from './publications.ts'
import { orders } from './rules.ts'
import { orderParts, productNamed } from './view.ts'

const ORDERS = '/workspaces/{workspace_id}/orders'

/** Ownership of records in an order's stream. */
export const underOrder = { param: 'order_id', resource: 'order', field: 'order_id' } as const

/** Orders::LineItem: shown inside its order. */
export const lineItemResource = serve(lineItem, orders, {
  title: 'Orders::LineItem',
  root: 'orders_line_item',
  category: 'store',
  under: underOrder,
  // To look up whether a price is on an order.
  indexes: [{ fields: ['products_price_id'] }],
  view: {
    original_product: { one: 'product_id', shows: productNamed },
    products_price: { one: 'products_price_id', shows: priceMinimal },
    products_variant: { one: 'variant_id', shows: variantMinimal },
  },
  operations: {},
})

const placed = {
  contact_id: reference('contact', { about: 'Wins over contact_attributes' }),
  contact_attributes: group(
    { email_address: emailAddress({ required: true }) },
    { about: 'Looks up a contact that is there; none is made' },
  ),
  line_items_attributes: linesSent,
}

/** Resolves the contact of an order: the one that is named, or the one with the e-mail address. */
const ofContact = async (input: WriteInput) => {
  const { contact_attributes: by, ...fields } = input.fields
  if (fields.contact_id !== undefined && fields.contact_id !== null) return fields
  const email = isJsonObject(by) && typeof by.email_address === 'string' ? by.email_address : undefined
  const contact_id = email === undefined ? undefined : await contactByEmail(email, input)
  return contact_id === undefined
    ? refuse.invalid(
        'Contact must exist',
        email === undefined ? 'order.contact_id' : 'order.contact_attributes',
        'blank',
      )
    : { ...fields, contact_id }
}

const cancelling = {
  cancel_reason: text({ about: 'Default: other. Of those that the processor of the order takes' }),
  cancel_description: text({ nullable: true }),
  effective_date: text({
    about: 'Default: next_renewal, the end of what is paid. now, immediate or immediately: at once',
  }),
  cancelation_proration: flag({ about: 'true: 422, since nothing less than a whole charge is given back' }),
  canceled_by: text({ about: 'Default: API' }),
  voidable_invoices: listOf(reference('orders/invoice'), { max: MOST_LINES, about: 'Unpaid invoices to be voided' }),
}

/** Refuses every filter: nothing creates filters of orders yet. */
const select: Selector = {
  parameters: {
    stored_filter_id: 'A saved filter of orders; its conditions hold besides',
    stable_id: 'A filter of orders as a token; wins over stored_filter_id',
  },
  select: async ({ stable_id }) =>
    stable_id === undefined
      ? refuse.invalid(
          'stored_filter_id is invalid or does not belong to this workspace',
          'stored_filter_id',
          'not_found',
        )
      : refuse.invalid('stable_id is not a valid serialized filter', 'stable_id', 'invalid'),
}

/** Order: a purchase, with its lines. */
export const orderResource = serve(order, orders, {
  title: 'Order',
  root: 'order',
  category: 'store',
  under: workspace,
  person: 'contact_id',
  // The index by account answers whether the account is still needed.
  indexes: [
    { fields: ['tag_ids'] },
    { fields: ['contact_id'] },
    { fields: ['contact_id', 'service_status'] },
    { fields: ['gateway_account_id', 'service_status'] },
  ],
  view: orderParts(embeddedShape(lineItemResource)),
  operations: {
    listOrders: list(ORDERS, {
      filters: {
        contact_id: idFilter('contact_id'),
        id: byId,
        order_type: textFilter('order_type'),
        live_mode: flagFilter('live_mode'),
      },
      select,
    }),
    createOrders: creates(ORDERS, {
      consequence: 'records a sale, of which others are told',
      input: placed,
      wanted: ofContact,
      ids: ({ line_items_attributes: lines }) => (Array.isArray(lines) ? lines.length : 0),
    }),
    getOrders: show('/orders/{id}'),
    getWorkspacesStats: workspaceStats(select),
    updateOrders: changes('/orders/{id}', {
      except: ['order_type', 'live_mode'],
      input: movableDates,
      wanted: ({ fields }) => withDates(fields),
    }),
    cancelOrder: asks('/orders/{id}/cancel', 'cancel', {
      consequence: 'cancels something that a buyer pays for',
      summary: 'Ends a subscription',
      body: { root: 'order', fields: cancelling, mode: 'change', optional: true },
    }),
    reactivateOrder: asks('/orders/{id}/reactivate', 'reactivate', {
      consequence: 'goes on with charging a buyer',
      beyondContract: true,
      summary: 'Takes back the cancellation of a subscription that still runs until the end of what is paid',
    }),
  },
  publishes: orderPublications,
})

const APPLIED = '/orders/{order_id}/applied_tags'

/** Orders::AppliedTag: a tag on one order. */
export const orderAppliedTagResource = serve(appliedTag, orders, {
  title: 'Orders::AppliedTag',
  root: 'orders_applied_tag',
  category: 'store',
  under: underOrder,
  operations: {
    listOrdersAppliedTags: list(APPLIED),
    createOrdersAppliedTags: creates(APPLIED),
    getOrdersAppliedTags: show('/orders/applied_tags/{id}'),
    removeOrdersAppliedTags: removes('/orders/applied_tags/{id}'),
  },
})
