import { Type } from 'typebox'
import { readerOver } from '../../kernel/decide/rules.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { read } from '../../resources/operations.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { dateTime, nullable, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { creates, sentFields } from '../../resources/writes.ts'
import { invoice, invoiceLineItem } from '../invoice/model.ts'
import { lineItemResource } from '../order/index.ts'
import { lineItem } from '../order/line-item.ts'
import { order } from '../order/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'
import { lineItemChange } from './model.ts'
import { type Movement, movement, offerOf, resolveTerms } from './rules.ts'
import type { ChangeInput } from './terms.ts'

const CHANGES = '/orders/line_items/{line_item_id}/changes'
const line = embeddedShape(lineItemResource)

/** Key that wraps the fields of the body and those of the answer. */
const ROOT = 'orders_line_items_change'

const changeSchema = Type.Object({
  preview: Type.Boolean(),
  upcoming_invoice: Type.Object({
    total_amount: nullableString,
    subtotal_amount: nullableString,
    tax_amount: nullableString,
    shipping_amount: nullableString,
    discount_amount: nullableString,
    currency: nullableString,
    next_invoice_date: nullable(dateTime),
  }),
  previous_line_item: line.schema,
  new_line_item: line.schema,
})
const schema = Type.Object({ [ROOT]: changeSchema })

/** Renders a change that was made, or a preview of one. */
const shown = async (change: Movement, preview: boolean, load: Loader) => {
  const held = (await load.one('orders/line_item', change.line_item_id)) ?? { id: change.line_item_id }
  const { product_id, variant_id, products_price_id } = change
  const after = { product_id, variant_id, products_price_id, prorated: String(change.prorate) }
  const before = {
    ...{ product_id: change.previous_product_id, variant_id: change.previous_variant_id },
    ...{ products_price_id: change.previous_price_id, prorated: change.previous_prorated },
  }
  return {
    [ROOT]: {
      preview,
      upcoming_invoice: change.upcoming,
      previous_line_item: await line.of({ ...held, ...before }, load),
      new_line_item: await line.of({ ...held, ...after }, load),
    },
  }
}

/** Answers with the result that a change would have, and changes nothing. */
const preview = async ({ owner, fields, at, read: documents, load }: ReadInput) => {
  const reader = readerOver(documents)
  const subscription = await reader.one(order, Number(owner?.order_id))
  const below = { where: { order_id: Number(owner?.order_id) } }
  const [lines, invoices, transactions] = await Promise.all([
    reader.find(lineItem, below),
    reader.find(invoice, below),
    reader.find(transaction, below),
  ])
  const wanted = { ...(fields as ChangeInput & { products_price_id: number }), line_item_id: Number(owner?.id) }
  if (!subscription) throw new Error(`line item ${wanted.line_item_id} has no order`)
  const found = resolveTerms(
    { order: subscription, lines, invoices, transactions },
    wanted,
    await offerOf({ order: subscription, lines }, wanted, reader),
    at,
  )
  return found instanceof Refusal ? found : shown(movement(found.line, found.terms), true, load)
}

/** Orders::LineItems::Change: moves a subscription to another price that its variant allows. */
export const lineItemChangeResource = serve(lineItemChange, orders, {
  title: 'Orders::LineItems::Change',
  root: ROOT,
  category: 'store',
  under: { param: 'line_item_id', resource: 'orders/line_item', field: 'line_item_id' },
  shows: { schema, present: async (record, load) => shown(record, false, load) },
  operations: {
    previewOrdersLineItemsChange: ({ root, model }) => ({
      ...read(CHANGES, { schema, read: preview }),
      method: 'POST',
      level: 'write',
      consequence: null,
      summary: 'What a change would come to; nothing is changed',
      body: { root, fields: sentFields(model, { except: ['line_item_id'] }), mode: 'create' },
    }),
    performOrdersLineItemsChange: creates(`${CHANGES}/perform`, {
      consequence: 'changes what a buyer pays',
      answers: 200,
      except: ['line_item_id'],
      summary: 'Moves a subscription to another price',
      wanted: ({ fields, mint }) => ({
        ...fields,
        invoice_id: mint(invoice),
        invoice_line_item_id: mint(invoiceLineItem),
      }),
    }),
  },
})
