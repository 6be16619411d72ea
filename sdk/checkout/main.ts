import type { Action, Answer, Core, Mount } from '../checkout-port.ts'
import type { CheckoutError } from '../index.d.ts'
import { createOfferPage } from '../offers/offer-page.ts'
import { createAddresses } from './addresses/addresses.ts'
import { call, wait } from './calls.ts'
import { emptyCart } from './cart.ts'
import { createCartCalls } from './cart-calls.ts'
import { createCartMemory } from './cart-memory.ts'
import { createDesk } from './desk.ts'
import { type FollowDeps, follow } from './follow.ts'
import type { Cart, Charge, Priced } from './model.ts'
import { EMPTY_CART } from './model.ts'
import { createButtons } from './page/buttons.ts'
import { createPayer, type PayRequest } from './pay.ts'
import { createPayment, type Payment } from './payment.ts'
import { createPending } from './pending.ts'
import { createPricer, type Pricer } from './pricer.ts'
import { earlierCart } from './returning.ts'
import { createStore } from './store.ts'

const CHECKING = 'The payment is being checked. Please do not pay again.'

/** Prices the cart of a checkout. An empty one needs no server. */
const priceCart = async (core: Core, cart: Cart) =>
  cart.lines.length === 0 ? EMPTY_CART : call<Priced>(core, '/checkout/state', { cart })

const followDeps = (core: Core, payment: Payment, cartId: string): FollowDeps => ({
  ask: () => call<Charge>(core, '/checkout/status', { cart_id: cartId }),
  confirm: (result) => call<Charge>(core, '/checkout/confirm', { cart_id: cartId, result }),
  authenticate: payment.authenticate,
  wait: (milliseconds) => wait(core.host, milliseconds),
  checking: () => payment.say(CHECKING),
  signal: core.signal,
})

/** A code that may be used once per customer is checked again when the customer is known. */
const watchEmail = (core: Core, pricer: Pricer) => {
  const onChange = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !core.elements('email').includes(target)) return
    const email = target.value.trim()
    const { coupon_codes, email: known } = pricer.cart()
    if (coupon_codes.length > 0 && email !== '' && email !== known && target.checkValidity())
      void pricer.change((cart) => ({ ...cart, email }))
  }
  core.host.document.addEventListener('change', onChange, { signal: core.signal })
}

const mountParts = (core: Core) => {
  const store = createStore(core)
  const pending = createPending(core)
  const memory = createCartMemory(core)
  const cartId = core.host.random()
  const pricer: Pricer = createPricer(emptyCart(cartId), {
    store,
    pending,
    price: async (cart) => (offers.isPage() ? (await offers.load()).price(cart) : priceCart(core, cart)),
    soon: () => wait(core.host, 0),
  })
  const payment = createPayment(core, store)
  const addresses = createAddresses({ core, store, pricer })
  const buttons = createButtons(core, ['pay', 'oto-accept', 'oto-decline'])
  const following = followDeps(core, payment, cartId)
  const offers = createOfferPage({
    ...{ core, store, pricer, addresses, following },
    beginning: () => memory.paying(cartId),
  })
  const refuse = (errors: readonly CheckoutError[], name: Action['name']) =>
    name === 'pay' ? (errors.length > 0 ? store.report('payment', errors) : store.publish()) : offers.refuse(errors)
  const desk = createDesk({ core, pending, buttons, memory, say: payment.say, refuse })
  return { core, store, pricer, memory, payment, addresses, offers, following, desk, cartId }
}

type Parts = ReturnType<typeof mountParts>

const createPay = ({ core, store, pricer, memory, payment, addresses, offers, following, cartId }: Parts) =>
  createPayer({
    ...following,
    core,
    store,
    pricer,
    complete(form) {
      addresses.flush()
      return (form.noValidate || form.reportValidity()) && addresses.report()
    },
    submit() {
      const tokenize = payment.submit()
      return (buyer, form) => {
        const { billing_address, shipping_address } = pricer.cart()
        return tokenize({ buyer, address: billing_address ?? shipping_address, form })
      }
    },
    send: async (request: PayRequest) =>
      offers.isPage()
        ? (await offers.load()).pay(request)
        : call<Charge & Partial<Priced>>(core, '/checkout/pay', request),
    askAgain: async (text) => (await import('./page/again.ts')).askAgain(core, text),
    beginning: () => memory.paying(cartId),
  })

/** Goes on with what an earlier load of this page began: the buyer may have reloaded while the charge ran, or come back from the next page. */
const resume = ({ core, payment, memory, desk, offers }: Parts, isRestored = false) => {
  const earlier = earlierCart(core.host, memory, isRestored)
  if (earlier === undefined) return isRestored ? offers.look() : undefined
  const following = followDeps(core, payment, earlier)
  payment.say(CHECKING)
  const followed = async () => follow(await following.ask(), following)
  // A charge is followed whether or not what sells offers can be loaded.
  const resumed = () => offers.load().then(({ resume }) => resume(followed), followed)
  const [name, work] = offers.isPage() ? (['oto-accept', resumed] as const) : (['pay', followed] as const)
  void desk.run(name, earlier, work, true)
}

/** Names the offer that the server granted to this load in each call: another tab may have been given the session of somebody else. */
const namingOffer = (core: Core): Core => {
  let offer: string | undefined
  return {
    ...core,
    async call<T>(path: string, body: object) {
      const answer = await core.call<T & { readonly offer?: string }>(path, { ...body, offer })
      offer = answer.offer ?? offer
      return answer as Answer<T>
    },
  }
}

/** Puts the checkout, or the one-click offer, into the page. */
export const mount: Mount = (given) => {
  const core = namingOffer(given)
  const parts = mountParts(core)
  const { store, pricer, payment, addresses, offers, desk, cartId } = parts
  const pay = createPay(parts)
  store.observe((state) => {
    payment.show(state)
    addresses.show(state)
  })
  const scan = () => {
    payment.scan()
    addresses.scan()
    offers.scan()
  }
  core.onChange(scan)
  scan()
  watchEmail(core, pricer)
  void pricer.change((cart) => cart)
  core.onAction(({ name, element, form }) => {
    // The price counts that is shown when the button is pressed.
    const seen = store.shown()
    const work = {
      pay: () => pay({ form }),
      'oto-accept': async () => (await offers.load()).accept(element, seen),
      'oto-decline': async () => (await offers.load()).decline(),
    }
    void desk.run(name, cartId, work[name])
  })
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    desk.release()
    resume(parts, true)
  }
  core.host.window.addEventListener('pageshow', onShow)
  resume(parts)
  return {
    ...createCartCalls({ store, pricer, addresses }),
    dispose() {
      core.host.window.removeEventListener('pageshow', onShow)
      desk.release()
      payment.dispose()
      addresses.dispose()
    },
  }
}
