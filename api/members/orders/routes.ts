import { forMembers, type Route } from '../request.ts'
import { cancel, showCancel } from './cancel-page.ts'
import { showDownload, showOrder, showOrders } from './order-pages.ts'

/** Pages of orders, their files and their subscriptions. Mails are passed on, so none of them opens by a link alone. */
export const orderRoutes: readonly Route[] = [
  forMembers(/^\/members\/orders$/, { show: showOrders }),
  forMembers(/^\/members\/orders\/(\d{1,15})$/, { show: showOrder }),
  forMembers(/^\/members\/orders\/(\d{1,15})\/downloads\/(\d{1,15})$/, { show: showDownload }),
  forMembers(/^\/members\/orders\/(\d{1,15})\/cancel$/, { show: showCancel, take: cancel }),
]
