import { list, show, workspace } from '../../resources/operations.ts'
import { resumes } from '../../resources/process/operations.ts'
import { serveProcess } from '../../resources/process/serve.ts'
import { charge, charges } from './charge.ts'
import { refund, refunds } from './refund.ts'

const beyondContract = true
const owned = { category: 'store', under: workspace } as const

/** Orders::Charge: an attempt to charge an invoice. Its order shows the result. */
export const chargeResource = serveProcess(charge, charges, {
  ...{ title: 'Orders::Charge', root: 'orders_charge', ...owned },
  // Charges are called off by their invoice.
  indexes: [{ fields: ['invoice_id'] }],
  operations: {
    listOrdersCharges: list('/workspaces/{workspace_id}/orders/charges', { beyondContract }),
    getOrdersCharges: show('/orders/charges/{id}', { beyondContract }),
    resumeOrdersCharges: resumes('/orders/charges/{id}/resume'),
  },
})

/** Orders::Refund: the refund of a charge. Its order shows the result. */
export const refundResource = serveProcess(refund, refunds, {
  ...{ title: 'Orders::Refund', root: 'orders_refund', ...owned },
  operations: {
    listOrdersRefunds: list('/workspaces/{workspace_id}/orders/refunds', { beyondContract }),
    getOrdersRefunds: show('/orders/refunds/{id}', { beyondContract }),
    resumeOrdersRefunds: resumes('/orders/refunds/{id}/resume'),
  },
})
