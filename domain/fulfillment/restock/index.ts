import { Type } from 'typebox'
import { stocks } from '../../inventory/public.ts'
import { stock } from '../../inventory/stock/model.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type RecordCommand, readerOver } from '../../kernel/decide/rules.ts'
import { orders } from '../../orders/public.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import { asks, creates } from '../../resources/writes.ts'
import { byOrder, byStock, included, linesIn, sum, toOrderLines, withLines } from '../lines.ts'
import { restock, restockLineItem } from './model.ts'
import { restocks } from './rules.ts'

const beyondContract = true
const RESTOCKS = '/workspaces/{workspace_id}/orders/invoices/restocks'

/** Follow-up commands of a new restock: orders count what will not be sent, and stock offers it for sale. */
const putBack = async (input: WriteInput, _: FactReader, command: RecordCommand): Promise<readonly Ask[]> => {
  const { contact_id, lines: all } = command.wanted
  const { id: restock_id } = input
  const lines = linesIn(all)
  return [
    ...byOrder(lines).map(([id, own]) =>
      ask(orders, id, 'restock', { restock_id, contact_id: Number(contact_id), lines: toOrderLines(own) }),
    ),
    ...byStock(lines).flatMap(([id, stockLines]) =>
      byOrder(stockLines).map(([order_id, own]) =>
        ask(stocks, id, 'putBack', { restock_id, order_id, quantity: sum(own) }),
      ),
    ),
  ]
}

/** Follow-up commands of a cancelled restock: all of it is to be sent after all. */
const keepAgain = async (input: WriteInput, documents: FactReader): Promise<readonly Ask[]> => {
  const { id: restock_id, document } = input
  if (document?.status !== 'restocked') return []
  const read = readerOver(documents)
  const lines = await read.find(restockLineItem, { where: { restock_id } })
  const found = await read.many(
    stock,
    byStock(lines).map(([id]) => id),
  )
  return [
    ...found.map(({ id }) => ask(stocks, id, 'keepAgain', { restock_id })),
    ...byOrder(lines).map(([id]) => ask(orders, id, 'cancelRestock', { restock_id })),
  ]
}

/** Orders::Invoices::Restocks::LineItem: shown inside its restock. */
export const restockLineItemResource = serve(restockLineItem, restocks, {
  title: 'Orders::Invoices::Restocks::LineItem',
  root: 'orders_invoices_restocks_line_item',
  category: 'store',
  under: { param: 'restock_id', resource: 'orders/invoices/restock', field: 'restock_id' },
  view: { fulfillment_id: { schema: Type.Integer(), of: ({ restock_id }) => restock_id } },
  operations: {},
})

/** Orders::Invoices::Restock: paid goods that will not be sent and are for sale again. */
export const restockResource = serve(restock, restocks, {
  title: 'Orders::Invoices::Restock',
  root: 'orders_invoices_restock',
  category: 'store',
  under: workspace,
  person: 'contact_id',
  view: {
    included_invoices_line_items: {
      children: 'line_items',
      shows: embeddedShape(restockLineItemResource, 'restock_id', 'created_at', 'updated_at'),
      orNull: true,
    },
  },
  operations: {
    listRestocks: list(RESTOCKS),
    createRestocks: creates(RESTOCKS, {
      consequence: 'says that something was taken back',
      beyondContract,
      summary: 'Has what was paid and is not going to be sent for sale again',
      input: included('What is not going to be sent, of invoices of the contact that were paid'),
      wanted: withLines,
      ids: ({ lines }) => (Array.isArray(lines) ? lines.length : 0),
      followUps: putBack,
    }),
    getRestock: show('/orders/invoices/restocks/{id}'),
    cancelRestocks: asks('/orders/invoices/restocks/{id}/cancel', 'cancel', {
      consequence: 'cancels that something was taken back',
      beyondContract,
      followUps: keepAgain,
    }),
  },
  publishes: {
    '$orders.invoices.restock_created': {
      on: ['RestockCreated'],
      about: 'Something that was paid is not going to be sent, and is for sale again.',
      alias: 'orders/invoices/restock.created',
    },
    '$orders.invoices.restock_updated': {
      on: ['RestockCancelled'],
      about: 'A restock was cancelled.',
      alias: 'orders/invoices/restock.updated',
    },
  },
})
