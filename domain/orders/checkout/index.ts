import { list, show, workspace } from '../../resources/operations.ts'
import { resumes } from '../../resources/process/operations.ts'
import { serveProcess } from '../../resources/process/serve.ts'
import { creates } from '../../resources/writes.ts'
import { linesSent } from '../lines-sent.ts'
import { order } from '../order/model.ts'
import { checkout } from './model.ts'
import { checkouts } from './process.ts'

/** Orders::Checkout: prices, charges and orders a cart, or does none of it. */
export const checkoutResource = serveProcess(checkout, checkouts, {
  title: 'Orders::Checkout',
  root: 'checkout',
  category: 'store',
  under: workspace,
  person: 'contact_id',
  // To look up whether an account is still needed.
  indexes: [
    { fields: ['gateway_account_id', 'status'] },
    { fields: ['contact_id'] },
    { fields: ['cart'] },
    { fields: ['charge_id'] },
    { fields: ['session_id'] },
    { fields: ['tried_from', 'failed'] },
    { fields: ['tried_from', 'status'] },
  ],
  operations: {
    listOrdersCheckouts: list('/workspaces/{workspace_id}/checkouts', { beyondContract: true }),
    createOrdersCheckouts: creates('/workspaces/{workspace_id}/checkouts', {
      consequence: 'charges a buyer',
      beyondContract: true,
      summary:
        'Begins a checkout: its status becomes completed, and order_id names the order, or compensated, and failure_reason says why',
      input: { line_items_attributes: linesSent },
      ids: () => 1,
      idsOf: order,
    }),
    getOrdersCheckouts: show('/checkouts/{id}', { beyondContract: true }),
    resumeOrdersCheckouts: resumes('/checkouts/{id}/resume'),
  },
})
