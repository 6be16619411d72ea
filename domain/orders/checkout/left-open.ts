import type { RecordOf } from '../../kernel/model/model.ts'
import { COMPENSATED, COMPENSATING } from '../../resources/process/status.ts'
import type { checkout } from './model.ts'

type Checkout = RecordOf<typeof checkout>

/** Step that charges. Its name is stored. */
export const CHARGE = 'charge'

/** Whether the buyer of a checkout was asked by the bank, and it is not known that they have confirmed. */
export const isUnconfirmed = ({ action, done }: Pick<Checkout, 'action' | 'done'>): boolean =>
  action !== null && !done.includes('confirm')

/**
 * Whether the buyer may still answer the bank after the checkout has failed: a gateway that asks at an address of its own cannot be told to stop. What
 * the checkout holds is released first then, and the charge is watched until it is surely not made, or is given back.
 */
export const isLeftOpen = (record: Pick<Checkout, 'action' | 'done'>): boolean =>
  isUnconfirmed(record) && record.action !== null && 'url' in record.action

/** Whether another attempt to pay the cart of a checkout may begin: it was compensated, or nothing is left but to watch its charge. */
export const hasFreedCart = (record: Pick<Checkout, 'action' | 'done' | 'status' | 'step'>): boolean =>
  record.status === COMPENSATED || (record.status === COMPENSATING && record.step === CHARGE && isLeftOpen(record))
