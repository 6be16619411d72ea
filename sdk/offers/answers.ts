import { type Cart, type Charge, NOTHING_PRICED, type Priced, sdkError } from '../checkout/model.ts'

export const NOT_BEGUN = sdkError(
  'unreachable',
  'The offer could not be accepted. Nothing was charged. Please try again.',
)

export const UNAVAILABLE = 'This offer is not available.'

/** Answer to what is offered here. */
export interface Offered extends Partial<Priced> {
  readonly status: 'open' | 'unavailable'
  /** Where a visitor goes on who has answered the offer before. */
  readonly redirect?: string
}

/** Answer to an accepted offer: how its charge stands, or that it was not to be had any more. */
export type Accepted = Partial<Priced> & (Charge | { readonly status: 'unavailable' })

/** An offer as it was priced. It is paid with a saved method, unless it costs nothing. */
export const pricedOf = ({
  state = NOTHING_PRICED.state,
  version = '',
  payment_required,
}: Partial<Priced>): Priced => ({
  state,
  version,
  payment_required: payment_required ?? state.totals.total > 0,
})

/** What an offer is shipped to and how, for the server. */
export const shippingOf = ({ id, shipping_address, shipping_option_id }: Cart) => ({
  cart_id: id,
  ...(shipping_address && { shipping_address }),
  ...(shipping_option_id && { shipping_option_id }),
})
