import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data } from '../../kernel/model/fields.ts'

/** Quantity of a line item that a fulfilment sent. */
export type Fulfilled = { readonly fulfillment_id: number; readonly quantity: number }

/** Quantity of a line item that a restock put back. */
export type Restocked = { readonly restock_id: number; readonly quantity: number }

const sum = (parts: readonly { readonly quantity: number }[]): number =>
  parts.reduce((total, { quantity }) => total + quantity, 0)

const fulfilledBy = (fulfilled: readonly Fulfilled[]) => ({ fulfilled, fulfilled_quantity: sum(fulfilled) })
const restockedBy = (restocked: readonly Restocked[]) => ({ restocked, restocked_quantity: sum(restocked) })

type WithFulfilled = { readonly fulfilled: readonly Fulfilled[] } | undefined
type WithRestocked = { readonly restocked: readonly Restocked[] } | undefined

const quantity = Type.Integer()
const begun = { initial: [] } as const

/** Attributes of a line item: its fulfilments and restocks, from which its quantities follow. */
export const lineParts = {
  fulfilled: managed(
    data<readonly Fulfilled[], typeof begun>(
      Type.Array(Type.Object({ fulfillment_id: Type.Integer(), quantity })),
      begun,
    ),
    { shown: 'never' },
  ),
  restocked: managed(
    data<readonly Restocked[], typeof begun>(Type.Array(Type.Object({ restock_id: Type.Integer(), quantity })), begun),
    { shown: 'never' },
  ),
}

/** Events of a line item that come from fulfilments and restocks. */
export const lineFulfilment = {
  InvoiceLineItemFulfilled: {
    evolve: (before: WithFulfilled, { fulfillment_id, quantity }: Fulfilled) =>
      fulfilledBy([...(before?.fulfilled ?? []), { fulfillment_id, quantity }]),
  },
  InvoiceLineItemUnfulfilled: {
    evolve: (before: WithFulfilled, { fulfillment_id }: Fulfilled) =>
      fulfilledBy((before?.fulfilled ?? []).filter((part) => part.fulfillment_id !== fulfillment_id)),
  },
  InvoiceLineItemRestocked: {
    evolve: (before: WithRestocked, { restock_id, quantity }: Restocked) =>
      restockedBy([...(before?.restocked ?? []), { restock_id, quantity }]),
  },
  InvoiceLineItemRestockCancelled: {
    evolve: (before: WithRestocked, { restock_id }: Restocked) =>
      restockedBy((before?.restocked ?? []).filter((part) => part.restock_id !== restock_id)),
  },
} as const

/** The same events for the invoice, and the one for a completely fulfilled invoice. */
export const invoiceFulfilment = {
  InvoiceLineItemFulfilled: {},
  InvoiceLineItemUnfulfilled: {},
  InvoiceLineItemRestocked: {},
  InvoiceLineItemRestockCancelled: {},
  InvoiceFulfilled: {},
} as const
