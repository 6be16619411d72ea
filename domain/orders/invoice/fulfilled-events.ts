import { Type } from 'typebox'
import { kept } from '../../kernel/field.ts'
import { data } from '../../kernel/fields.ts'

/** How much of a line item a fulfilment has. */
export type Part = { readonly fulfillment_id: number; readonly quantity: number }

type Before = { readonly fulfilled: readonly Part[] } | undefined

const partsOf = (before: Before): readonly Part[] => before?.fulfilled ?? []

const with_ = (fulfilled: readonly Part[]) => ({
  fulfilled,
  fulfilled_quantity: fulfilled.reduce((sum, { quantity }) => sum + quantity, 0),
})

/** The fulfilments of a line item: what it has of them follows from these alone. */
export const fulfilledParts = kept(
  data<readonly Part[], { readonly initial: readonly [] }>(
    Type.Array(Type.Object({ fulfillment_id: Type.Integer(), quantity: Type.Integer() })),
    { initial: [] },
  ),
  { shown: 'never' },
)

/** Events of a line item that fulfilments bring about. */
export const lineFulfilment = {
  InvoiceLineItemFulfilled: {
    folds: (before: Before, { fulfillment_id, quantity }: Part) =>
      with_([...partsOf(before), { fulfillment_id, quantity }]),
  },
  InvoiceLineItemUnfulfilled: {
    folds: (before: Before, { fulfillment_id }: Pick<Part, 'fulfillment_id'>) =>
      with_(partsOf(before).filter((part) => part.fulfillment_id !== fulfillment_id)),
  },
} as const

/** The same for the invoice, and that all of it has been fulfilled. */
export const invoiceFulfilment = {
  InvoiceLineItemFulfilled: {},
  InvoiceLineItemUnfulfilled: {},
  InvoiceFulfilled: {},
} as const
