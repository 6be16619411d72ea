import type { Answer } from '../checkout-port.ts'
import type { CheckoutState } from '../index.d.ts'
import { withoutUnpriced } from './cart.ts'
import { type Cart, type Priced, sdkError, validationError } from './model.ts'
import type { Pending } from './pending.ts'
import type { Store } from './store.ts'

export interface PricerDeps {
  readonly store: Store
  readonly pending: Pending
  /** Asks the server for the price of a cart. Never rejects. */
  price(cart: Cart): Promise<Answer<Priced>>
  /** Waits until the calls of one moment have been made, so that they become one request. */
  soon(): Promise<void>
}

/**
 * Keeps the cart and has it priced: one request at a time, always of the newest cart. Answers therefore come in order, and a burst of
 * changes costs two requests. What was priced while the cart changed again is not shown.
 */
export interface Pricer {
  cart(): Cart
  /** Changes the cart, and resolves when the result, or a later one, has been priced or has failed. */
  change(edit: (cart: Cart) => Cart): Promise<void>
  /** Resolves when nothing is left to be priced. */
  idle(): Promise<void>
  isBusy(): boolean
  /** Whether the last request failed, so that the state shown may not be that of the cart. */
  isStale(): boolean
}

/** Refusals that say that the cart itself is wrong. Others may pass by. */
const isOfCart = (code: string): boolean => code === 'bad_request' || code === 'cart_invalid'

const UNREADABLE = { ok: false, error: { code: 'unreadable', message: 'The cart could not be priced.' } } as const

/** Takes an answer that is not what it should be for a failure. */
const readable = (answer: Answer<Priced>): Answer<Priced> =>
  answer.ok && !(Array.isArray(answer.state?.line_items) && answer.state.totals) ? UNREADABLE : answer

/** Lines that the server does not sell are reported once: they leave the cart. Lines that it could not price for another reason stay. */
const kept = (cart: Cart, { line_items, errors }: CheckoutState): Cart =>
  errors.some(({ code }) => code === 'not_sold' || code === 'invalid_quantity')
    ? withoutUnpriced(line_items)(cart)
    : cart

export const createPricer = (first: Cart, { store, pending, price, soon }: PricerDeps): Pricer => {
  let cart = first
  let lastPriced = first
  let wanted = 0
  let isStale = true
  let running: Promise<void> | undefined

  const settle = (sent: Cart, answer: Answer<Priced>) => {
    isStale = !answer.ok
    if (answer.ok) {
      cart = lastPriced = kept(sent, answer.state)
      store.report('cart', [])
      return store.commit(answer)
    }
    const { code, message } = answer.error
    if (code === 'abandoned') return
    if (!isOfCart(code)) return store.report('cart', [sdkError(code, message)])
    cart = lastPriced
    // The state shown is still that of the cart: it is as it was.
    isStale = false
    store.report('cart', [validationError(code, message)])
  }
  const run = async () => {
    pending.begin()
    try {
      await soon()
      for (let turn = -1; turn !== wanted; ) {
        turn = wanted
        const sent = cart
        const answer = readable(await price(sent).catch(() => UNREADABLE))
        if (turn === wanted) settle(sent, answer)
      }
    } finally {
      running = undefined
      pending.end()
    }
  }
  const idle = () => running ?? Promise.resolve()
  return {
    cart: () => cart,
    change(edit) {
      cart = edit(cart)
      wanted += 1
      running ??= run()
      return running
    },
    idle,
    isBusy: () => running !== undefined,
    isStale: () => isStale,
  }
}
