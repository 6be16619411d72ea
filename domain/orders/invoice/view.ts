import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json } from '../../kernel/values/event.ts'
import { fromMinor } from '../../kernel/values/money.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import { type Shape, shape, type ViewParts } from '../../resources/view.ts'
import { orderVisits } from '../../visits/public.ts'
import { type invoice, invoiceLineItem } from './model.ts'
import { numberOf } from './number.ts'

type Line = RecordOf<typeof invoiceLineItem>

const absent = (schema: TSchema) => ({ schema: nullable(schema), of: () => null })
const zero = { schema: nullable(Type.Number()), of: () => 0 }

/** Fulfilment status of a line item: `ignored` when all of it was restocked. */
const fulfilled = ({ fulfilled_quantity: sent, restocked_quantity, quantity }: Line) => {
  const all = quantity - restocked_quantity
  if (all === 0) return 'ignored'
  return sent === 0 ? 'unfulfilled' : sent < all ? 'partially_fulfilled' : 'complete'
}

const textOf = (value: Json | undefined): Json => (value === null || value === undefined ? null : String(value))

const priceOfLine: Shape = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    amount: Type.String(),
    currency: Type.String(),
    duration: nullableString,
    interval: nullableString,
    interval_count: nullableString,
  }),
  of: ({ id, public_id, amount, currency, duration, interval, interval_count }: Document) => ({
    id,
    public_id,
    amount: amount ?? null,
    currency: currency ?? null,
    duration: textOf(duration),
    interval: textOf(interval),
    interval_count: textOf(interval_count),
  }),
}

const variantOfLine = shape({
  id: Type.Integer(),
  public_id: Type.String(),
  product_id: Type.Integer(),
  name: Type.String(),
  description: nullableString,
  sku: nullableString,
  fulfillment_required: nullable(Type.Boolean()),
})

/**
 * Fields that a line item of an invoice shows besides its attributes. Taxes are calculated per invoice, so here they
 * are 0.
 */
export const lineParts: ViewParts<typeof invoiceLineItem> = {
  external_id: { schema: Type.String(), of: () => '' },
  fulfillment_status: {
    schema: nullable(Type.Enum(['unfulfilled', 'partially_fulfilled', 'complete', 'ignored'])),
    of: fulfilled,
  },
  external_product_id: absent(Type.String()),
  discount_amount: { schema: nullable(Type.Number()), of: ({ discount }) => Number(discount ?? 0) },
  state_tax_amount: zero,
  county_tax_amount: zero,
  city_tax_amount: zero,
  district_tax_amount: zero,
  state_tax_rate: zero,
  county_tax_rate: zero,
  city_tax_rate: zero,
  district_tax_rate: zero,
  country_tax_jurisdiction: absent(Type.String()),
  state_tax_jurisdiction: absent(Type.String()),
  county_tax_jurisdiction: absent(Type.String()),
  city_tax_jurisdiction: absent(Type.String()),
  period_start_at: absent(Type.String()),
  period_end_at: absent(Type.String()),
  period_number: absent(Type.String()),
  products_price: { one: 'products_price_id', shows: priceOfLine },
  products_variant: { one: 'variant_id', shows: variantOfLine },
}

type Invoice = RecordOf<typeof invoice>
const isEligible = ({ status }: Invoice): boolean => status === 'paid'
const nothing = ({ currency }: Invoice) => fromMinor(0n, currency)
const money = (of: (record: Invoice) => string) => ({ schema: nullableString, of })

const openLine = recordOf(invoiceLineItem)

/** Fulfilment status of an invoice, from its line items. */
const fulfilledOf = (lines: readonly Document[]): string => {
  const states = lines.map((line) => fulfilled(openLine(line))).filter((state) => state !== 'ignored')
  if (states.length === 0) return 'not_applicable'
  if (states.every((state) => state === 'complete')) return 'complete'
  return states.every((state) => state === 'unfulfilled') ? 'unfulfilled' : 'partial'
}

/**
 * Fields that an invoice shows besides its attributes.
 *
 * @param lineItems shape of its line items
 * @param order shape of an order inside an invoice
 */
export const invoiceParts = (lineItems: Shape, order: Shape): ViewParts<typeof invoice> => ({
  invoice_number: { schema: Type.String(), of: numberOf },
  due_amount: money((record) => (record.status === 'paid' || record.ever_paid ? nothing(record) : record.total_amount)),
  tax_amount: money((record) => record.tax ?? nothing(record)),
  discount_amount: money((record) => record.discount ?? nothing(record)),
  eligible_for_fulfillment: { schema: nullable(Type.Boolean()), of: isEligible },
  fulfillment_status: {
    schema: nullableString,
    of: async (record, load) =>
      isEligible(record)
        ? fulfilledOf(await load.where('orders/invoices/line_item', 'invoice_id', record.id))
        : 'not_applicable',
  },
  payment_processor: {
    schema: nullableString,
    of: async ({ order_id }, load) => textOf((await load.one('order', order_id))?.payment_processor),
  },
  line_items: {
    schema: Type.Array(lineItems.schema),
    of: async ({ id }, load) => {
      const lines = await load.where('orders/invoices/line_item', 'invoice_id', id)
      return Promise.all(lines.map((line) => lineItems.of(line, load)))
    },
  },
  order: {
    schema: order.schema,
    of: async ({ order_id }, load) => {
      const found = await load.one('order', order_id)
      return found && order.of(found, load)
    },
  },
  visits: {
    schema: orderVisits.schema,
    of: async ({ order_id }, load) => {
      const found = await load.one('order', order_id)
      const { session_id, contact_id, created_at }: Partial<Document> = found ?? {}
      return orderVisits.of({ session_id, contact_id, created_at }, load)
    },
  },
})
