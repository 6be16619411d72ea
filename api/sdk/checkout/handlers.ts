import type { SdkHandler } from '../calls.ts'
import { accept, decline, offer } from '../offers/offers.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'
import { refusedCards, unlimited } from './card-testing.ts'
import { state } from './checkout.ts'
import { onwardOf } from './onward.ts'
import { ordersOfSession } from './orders.ts'
import { confirm, pay, status } from './pay.ts'

/** Calls of pages that sell, by path. @param isLimited whether refused cards are limited */
export const checkoutHandlers = (
  service: SdkService,
  visitors: Visitors,
  isLimited: boolean,
): Readonly<Record<string, SdkHandler>> => {
  const deps = {
    service,
    visitors,
    onward: onwardOf(service, visitors),
    refusedCards: isLimited ? refusedCards(service) : unlimited,
  }
  return {
    '/checkout/state': state(service),
    '/checkout/pay': pay(deps),
    '/checkout/status': status(deps),
    '/checkout/confirm': confirm(deps),
    '/orders': ordersOfSession(service, visitors),
    '/offer': offer(deps),
    '/offer/accept': accept(deps),
    '/offer/decline': decline(deps),
  }
}
