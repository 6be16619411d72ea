import type { Checkout, CheckoutState } from '../index.d.ts'
import type { Addresses } from './addresses/addresses.ts'
import { lineProblem, withQuantity } from './cart.ts'
import { type Cart, validationError } from './model.ts'
import type { Pricer } from './pricer.ts'
import type { Store } from './store.ts'

export type CartCalls = Pick<Checkout, 'setQuantity' | 'updateState' | 'setShipping' | 'currentState'>

export interface CartCallsDeps {
  readonly store: Store
  readonly pricer: Pricer
  readonly addresses: Pick<Addresses, 'give'>
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const isAddress = (value: unknown): boolean => value === null || (typeof value === 'object' && !Array.isArray(value))

/** Says what is wrong with the argument of `updateState`. */
const changeProblem = (change: unknown): readonly [message: string, field: string] | undefined => {
  if (typeof change !== 'object' || change === null) return ['A state is an object.', 'state']
  if ('coupon_codes' in change && !isTexts(change.coupon_codes)) return ['Codes are texts.', 'coupon_codes']
  for (const kind of ['shipping_address', 'billing_address'] as const)
    if (kind in change && !isAddress(Reflect.get(change, kind))) return ['An address is an object or null.', kind]
  return undefined
}

/** The calls of `window.CfSdk.checkout` that ask for something. What is wrong in them becomes an error of the state; none rejects. */
export const createCartCalls = ({ store, pricer, addresses }: CartCallsDeps): CartCalls => {
  const settled = async (): Promise<CheckoutState> => {
    await pricer.idle()
    return store.state()
  }
  const change = async (edit: (cart: Cart) => Cart) => {
    await pricer.change(edit)
    return settled()
  }
  const refuse = async (code: string, message: string, field: string) => {
    await pricer.idle()
    store.report('cart', [validationError(code, message, field)])
    return store.state()
  }
  return {
    currentState: settled,
    async setQuantity(variantId, priceId, quantity) {
      const problem = lineProblem(variantId, priceId, quantity)
      if (problem !== undefined) return refuse('invalid_quantity', problem, 'line_items')
      return change(withQuantity(variantId, priceId, quantity))
    },
    async updateState(given) {
      const problem = changeProblem(given)
      if (problem) return refuse('invalid_state', ...problem)
      const { coupon_codes, shipping_address: shipping, billing_address: billing } = given
      const places = addresses.give({
        ...(shipping !== undefined && { shipping }),
        ...(billing !== undefined && { billing }),
      })
      return change((cart) => ({ ...cart, ...places, ...(coupon_codes && { coupon_codes: [...coupon_codes] }) }))
    },
    async setShipping(optionId) {
      if (optionId !== null && typeof optionId !== 'string')
        return refuse('invalid_option', 'A shipping option is an id or null.', 'shipping_option_id')
      return change((cart) => ({ ...cart, shipping_option_id: optionId }))
    },
  }
}
