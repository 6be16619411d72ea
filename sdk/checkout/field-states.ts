import type { CheckoutError } from '../index.d.ts'
import { sdkError } from './model.ts'

/** Time a gateway has to appear. A buyer who waits longer than this without a word goes away. */
export const PATIENCE = 10_000

/** What is shown and published while the payment field is in a state, and what becomes of a buyer who pays then. */
export interface FieldShown {
  /** What goes on. */
  readonly status: string
  /** What is wrong, in the state's errors for as long as it is. The buyer is offered to try again. */
  readonly errors: readonly CheckoutError[]
  /** `take` what was entered, `wait` for another state, begin `again` and wait, or `refuse`, with the errors that stand. */
  readonly onPay: 'take' | 'wait' | 'again' | 'refuse'
  /** The state that follows when a buyer has waited long enough without a word. Until then the field is busy. */
  readonly overdue?: FieldState
}

export type FieldState =
  /** The page has no place for the field. */
  | 'absent'
  /** What the field needs has been asked for. */
  | 'loading'
  /** It was asked for long ago and may still come. */
  | 'late'
  /** It cannot be had. */
  | 'blocked'
  /** It is there, and there is no amount yet. */
  | 'unpriced'
  /** The field is in the page, and cannot be used yet. */
  | 'mounted'
  /** The field has been in the page for long, and may still become ready. */
  | 'unready'
  /** The gateway says that the field does not work. */
  | 'failed'
  | 'ready'

const LOADING = 'Loading the payment form…'
const NOT_LOADED = sdkError('gateway_unavailable', 'The payment form could not be loaded.')
const gatewayError = (code: string, message: string): CheckoutError => ({ code, message, source: 'gateway' })
const NOT_READY = gatewayError('gateway_not_ready', 'The payment form is not ready yet.')
const BROKEN = gatewayError('gateway_unavailable', 'The payment form does not work.')
const NO_PLACE = sdkError('no_payment_method', 'This page has no place for a payment method.')

const QUIET = { status: '', errors: [] } as const

/** A word and a way on for each state: what the buyer waits for says so, and what fails can be tried again. */
export const FIELD_STATES: Readonly<Record<FieldState, FieldShown>> = {
  absent: { ...QUIET, onPay: 'refuse' },
  loading: { ...QUIET, status: LOADING, onPay: 'wait', overdue: 'late' },
  late: { ...QUIET, status: 'It appears here if it comes.', errors: [NOT_LOADED], onPay: 'refuse' },
  blocked: { ...QUIET, errors: [NOT_LOADED], onPay: 'again' },
  unpriced: { ...QUIET, onPay: 'wait' },
  mounted: { ...QUIET, status: LOADING, onPay: 'wait', overdue: 'unready' },
  unready: { ...QUIET, status: 'What you have entered stays.', errors: [NOT_READY], onPay: 'refuse' },
  failed: { ...QUIET, errors: [BROKEN], onPay: 'again' },
  ready: { ...QUIET, onPay: 'take' },
}

/** Why a buyer cannot pay now: a page without a field has no error until somebody tries. */
export const refusalIn = (state: FieldState): readonly CheckoutError[] => (state === 'absent' ? [NO_PLACE] : [])
