import type { FactReader } from '../../kernel/decider.ts'
import type { Decider } from '../../kernel/deciding.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/event.ts'
import type { FollowUp } from '../../kernel/follow-up.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type RecordCommand, readerOver } from '../../kernel/rules.ts'
import type { WriteInput } from '../../kinds/operation.ts'
import { invoiceLineItem, orders } from '../../orders/public.ts'
import { stock } from '../stock/model.ts'
import { stocks } from '../stock/rules.ts'
import { fulfillmentLineItem } from './model.ts'
import type { Line } from './rules.ts'

const FIELD = 'included_orders_invoices_line_items_attributes'

const workspaceOf = ({ document, owner }: WriteInput): number => Number((document ?? owner)?.workspace_id)

const problem = (text: string, code: string) =>
  refuse.invalid(`Included line items ${text}`, `fulfillment.${FIELD}`, code)

/** Lines out of a body or a command; the order is only known to the latter. */
const linesIn = (value: Json | undefined): readonly Line[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject).map((line) => ({
    invoices_line_item_id: Number(line.invoices_line_item_id),
    quantity: Number(line.quantity),
    order_id: Number(line.order_id ?? 0),
    stock_id: typeof line.stock_id === 'number' ? line.stock_id : null,
  }))

/** What a fulfilment is asked for: its line items with the orders that they are of, and the stock of their variants. */
export const withLines = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const { [FIELD]: lines, ...wanted } = input.fields
  const sent = linesIn(lines)
  const workspaceId = workspaceOf(input)
  const ids = sent.map(({ invoices_line_item_id }) => invoices_line_item_id)
  if (new Set(ids).size < ids.length) return problem('name a line item twice', 'taken')
  const read = readerOver(input.read)
  const all = await read.many(invoiceLineItem, ids)
  const found = new Map(all.filter(({ workspace_id }) => workspace_id === workspaceId).map((one) => [one.id, one]))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) return problem(`contain ids not found in this workspace: ${missing.join(', ')}`, 'not_found')
  const variants = [...new Set([...found.values()].map(({ variant_id }) => variant_id))]
  const kept = await read.find(stock, { where: { variant_id: { $in: variants } } })
  const stockOf = new Map(kept.map(({ id, variant_id }) => [variant_id, id]))
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

const byOrder = (lines: readonly Line[]) => grouped(lines, ({ order_id }) => order_id)
const byStock = (lines: readonly Line[]) => grouped(lines, ({ stock_id }) => stock_id)
const sum = (lines: readonly Line[]): number => lines.reduce((total, { quantity }) => total + quantity, 0)

const told = (input: WriteInput, aggregate: Decider, id: number, type: string, wanted: JsonObject): FollowUp => ({
  aggregate,
  id,
  command: { type, id, workspaceId: workspaceOf(input), wanted, at: input.at, actor: input.actor },
})

/** What a stock gives to a fulfilment, or gets back from it. */
const ofStock = (fulfillment_id: number, location_id: number, lines: readonly Line[]) => ({
  fulfillment_id,
  location_id,
  quantity: sum(lines),
  orders: byOrder(lines).map(([order_id, own]) => ({ order_id, quantity: sum(own) })),
})

/**
 * What a new fulfilment asks of others: that stock is there, that orders count what is sent, and that stock gives it, in this order. Stock gives
 * without refusing, so that it has given exactly if all orders have counted.
 */
export const send = async (input: WriteInput, _: FactReader, command: RecordCommand): Promise<readonly FollowUp[]> => {
  const { id: fulfillment_id } = input
  const { contact_id = null, location_id, ignore_out_of_stock, lines: all } = command.wanted
  const lines = linesIn(all)
  const stocked = byStock(lines).map(([id, own]) => ({
    id,
    wanted: ofStock(fulfillment_id, Number(location_id), own),
  }))
  return [
    ...(ignore_out_of_stock ? [] : stocked.map(({ id, wanted }) => told(input, stocks, id, 'assure', wanted))),
    ...byOrder(lines).map(([id, own]) => {
      const sent = own.map(({ invoices_line_item_id, quantity }) => ({ id: invoices_line_item_id, quantity }))
      return told(input, orders, id, 'fulfil', { fulfillment_id, contact_id, lines: sent })
    }),
    ...stocked.map(({ id, wanted }) => told(input, stocks, id, 'take', wanted)),
  ]
}

/** What a fulfilment that is cancelled or removed gives back: what orders have counted, and what stock has given. */
export const giveBack = async (input: WriteInput, documents: FactReader): Promise<readonly FollowUp[]> => {
  const { id: fulfillment_id, document } = input
  if (document?.status !== 'fulfilled') return []
  const read = readerOver(documents)
  const lines = await read.find(fulfillmentLineItem, { where: { fulfillment_id } })
  const [billed, kept] = await Promise.all([
    read.many(
      invoiceLineItem,
      lines.map(({ invoices_line_item_id }) => invoices_line_item_id),
    ),
    read.many(
      stock,
      byStock(lines).map(([id]) => id),
    ),
  ])
  // Of what met a change made at the same moment nothing was taken.
  const isTaken = billed.every(({ fulfilled }) => fulfilled?.some((part) => part.fulfillment_id === fulfillment_id))
  const returning = byStock(lines).filter(([id]) => isTaken && kept.some((one) => one.id === id))
  return [
    ...byOrder(lines).map(([id]) => told(input, orders, id, 'unfulfil', { fulfillment_id })),
    ...returning.map(([id, own]) =>
      told(input, stocks, id, 'giveBack', ofStock(fulfillment_id, Number(document.location_id), own)),
    ),
  ]
}
