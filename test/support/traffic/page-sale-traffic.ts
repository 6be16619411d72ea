import { CARDS, line, sdkShop } from '../sdk-shop.ts'
import type { Tenant, TestService } from '../service.ts'

/** A funnel sells on its pages: a visitor buys after the bank has asked, and declines what is offered then. */
export const pageSaleTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const shop = await sdkShop(service, tenant)
  const [first, second] = shop.pages
  const mug = await shop.sells(first!, { amount: '12.50' })
  await shop.sells(second!, { amount: '7.00' })
  const buying = await shop.arrives(first!)
  await buying.pay([line(mug)], { card: CARDS.asks })
  await buying.outcome()
  await buying.call('/checkout/confirm', { cart_id: buying.cartId, result: 'approved' })
  await buying.outcome()
  await shop.as(second!, buying.session).call('/offer/decline')
}
