import type { Core } from '../checkout-port.ts'
import type { CartMemory } from './cart-memory.ts'

const isNewVisit = ({ document }: Core['host']): boolean =>
  document.defaultView?.performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'navigate') ?? false

/**
 * Returns the cart of an earlier load of this page of which the buyer must hear: one whose charge may be under way, or that was paid when
 * they reload or come back. Who opens the page anew after paying wants to buy again.
 */
export const earlierCart = (host: Core['host'], memory: CartMemory, isRestored = false): string | undefined => {
  const earlier = memory.recall()
  if (!earlier) return undefined
  if (!earlier.isDone || isRestored || !isNewVisit(host)) return earlier.cartId
  memory.forget()
  return undefined
}
