/** What is sold: `once` is paid once, `all` too and names every file of the workspace; `basic` and `dear` recur. */
export const GOODS = ['once', 'all', 'basic', 'dear'] as const
export type Good = (typeof GOODS)[number]

/** Payment as a person would note it down. */
export interface Payment {
  readonly goods: readonly Good[]
  status: 'unpaid' | 'paid' | 'past-due' | 'refunded' | 'disputed' | 'voided'
  everPaid: boolean
}

/** Order as a person would note it down. */
export interface Noted {
  readonly id: number
  readonly kind: 'external' | 'subscription'
  readonly payments: Payment[]
  /** What a subscription recurs with. */
  current: Good | undefined
  standing: 'going on' | 'ending' | 'over'
}

const isHeld = (payment: Payment | undefined): boolean => payment?.everPaid === true && payment.status === 'paid'

/**
 * Returns what an order gives access to. What is paid once is open while its payment is held. Of what recurs, that is open for which the order was last paid,
 * while that payment is held and the subscription is not over.
 */
export const opens = (order: Noted, good: Good): boolean => {
  if (good === 'once' || good === 'all') return order.payments.some((one) => one.goods.includes(good) && isHeld(one))
  const last = order.payments.findLast(
    ({ everPaid, goods }) => everPaid && (goods.includes('basic') || goods.includes('dear')),
  )
  return order.standing !== 'over' && last !== undefined && last.goods.includes(good) && isHeld(last)
}

/** Returns whether the file of a good is open by an order. */
export const opensFile = (order: Noted, good: Good): boolean => opens(order, 'all') || opens(order, good)
