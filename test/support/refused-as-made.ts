/** Writes that need a record in a state, or a body, that no maker of records gives. Suites of their families try them. */
export const REFUSED_AS_MADE: ReadonlySet<string> = new Set([
  'abandonOrdersInvoices',
  'advanceWorkspacesTestClock',
  'reactivateOrder',
  'redeliverWebhooksOutgoingEvents',
  'refundOrdersTransactions',
  'removeProductsFromPage',
  'reorderFormsFields',
  'unarchiveProducts',
])
