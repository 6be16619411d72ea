import { stock } from '../inventory/stock/model.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { group, integer, list as listOf, reference } from '../kernel/model/fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../kernel/values/event.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { invoiceLineItem } from '../orders/public.ts'
import type { WriteInput } from '../resources/operation.ts'

/** Quantity of an invoice's line item, with its order, and the stock of its variant where that is counted. */
export type Line = {
  readonly invoices_line_item_id: number
  readonly quantity: number
  readonly order_id: number
  readonly stock_id: number | null
}

const FIELD = 'included_orders_invoices_line_items_attributes'
const MOST_LINES = 100

/** Line items of invoices, as clients send them. */
export const included = (about: string) => ({
  [FIELD]: listOf(
    group({
      invoices_line_item_id: reference('orders/invoices/line_item', {
        required: true,
        missing: 'Included line items contain ids not found in this workspace: {ids}',
      }),
      quantity: integer({ required: true, min: 1, max: 1_000_000 }),
    }),
    { required: true, max: MOST_LINES, about },
  ),
})

const problem = (text: string, code: string) => refuse.invalid(`Included line items ${text}`, FIELD, code)

/** Lines of a request body or a command. Only a command has the order. */
export const linesIn = (value: Json | undefined): readonly Line[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject).map((line) => ({
    invoices_line_item_id: Number(line.invoices_line_item_id),
    quantity: Number(line.quantity),
    order_id: Number(line.order_id ?? 0),
    stock_id: typeof line.stock_id === 'number' ? line.stock_id : null,
  }))

/**
 * Adds order and stock to the lines of a request. Refuses line items that are named twice.
 */
export const withLines = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const { [FIELD]: lines, ...wanted } = input.fields
  const sent = linesIn(lines)
  const ids = sent.map(({ invoices_line_item_id }) => invoices_line_item_id)
  if (new Set(ids).size < ids.length) return problem('name a line item twice', 'taken')
  const read = readerOver(input.read)
  const found = new Map((await read.many(invoiceLineItem, ids)).map((one) => [one.id, one]))
  const variants = [...new Set([...found.values()].map(({ variant_id }) => variant_id))]
  const stockRecords = await read.find(stock, { where: { variant_id: { $in: variants } } })
  const stockOf = new Map(stockRecords.map(({ id, variant_id }) => [variant_id, id]))
  return {
    ...wanted,
    lines: sent.map(({ invoices_line_item_id, quantity }) => {
      const { order_id = 0, variant_id = 0 } = found.get(invoices_line_item_id) ?? {}
      return { invoices_line_item_id, quantity, order_id, stock_id: stockOf.get(variant_id) ?? null }
    }),
  }
}

const grouped = (
  lines: readonly Line[],
  by: (line: Line) => number | null,
): readonly (readonly [id: number, lines: readonly Line[]])[] => {
  const groups = new Map<number, Line[]>()
  for (const line of lines) {
    const id = by(line)
    if (id !== null) groups.set(id, [...(groups.get(id) ?? []), line])
  }
  return [...groups]
}

export const byOrder = (lines: readonly Line[]) => grouped(lines, ({ order_id }) => order_id)
export const byStock = (lines: readonly Line[]) => grouped(lines, ({ stock_id }) => stock_id)
export const sum = (lines: readonly Line[]): number => lines.reduce((total, { quantity }) => total + quantity, 0)

/** Lines in the form that the acts of orders take. */
export const toOrderLines = (lines: readonly Line[]) =>
  lines.map(({ invoices_line_item_id, quantity }) => ({ id: invoices_line_item_id, quantity }))
