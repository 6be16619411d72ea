import type { Core } from '../../checkout-port.ts'
import type { Address, CheckoutState } from '../../index.d.ts'
import { type Cart, sdkError } from '../model.ts'
import type { Pricer } from '../pricer.ts'
import type { Store } from '../store.ts'
import type { AddressKind } from './form.ts'
import { createSection, type Section } from './section.ts'

type Given = Readonly<Partial<Record<AddressKind, Address | null>>>

/** Time after the last keystroke in an address before it is priced. */
const CALM = 250

const isSame = (one: Address | null, other: Address | null): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The checkbox by which the billing address is the shipping address. */
const createMirror = (core: Core) => {
  const box = () => core.elements('billing-same-as-shipping')[0]
  return {
    isOn() {
      const element = box()
      return element instanceof HTMLInputElement && element.checked
    },
    onChange(listener: () => void) {
      const changed = ({ target }: Event) => {
        if (target !== null && target === box()) listener()
      }
      core.host.document.addEventListener('change', changed, { signal: core.signal })
    },
  }
}

const createSections = (
  core: Core,
  onInput: (kind: AddressKind) => void,
  onLoad: (problem?: string) => void,
): Readonly<Record<AddressKind, Section>> => {
  const make = (kind: AddressKind) => createSection({ core, kind, onInput: () => onInput(kind), onLoad })
  return { shipping: make('shipping'), billing: make('billing') }
}

/** Whether a billing address is asked for beside a shipping address. Stripe's own field asks for it. */
const needsBilling = (core: Core, store: Store, { shipping }: CheckoutState): boolean =>
  shipping.address_required && store.priced().payment_required && core.init.checkout?.gateway !== 'stripe'

export interface AddressesDeps {
  readonly core: Core
  readonly store: Store
  readonly pricer: Pricer
}

/**
 * The addresses of the cart: from the forms on the page while they are shown, else from what the page gave by `updateState`. A hidden form
 * counts for nothing.
 */
export const createAddresses = ({ core, store, pricer }: AddressesDeps) => {
  const { window } = core.host
  let given: Given = {}
  let timer: number | undefined
  let sent = ''

  const { shipping, billing } = createSections(
    core,
    (kind) => {
      given = { ...given, [kind]: undefined }
      window.clearTimeout(timer)
      timer = window.setTimeout(flush, CALM)
    },
    (problem) => {
      store.report('addresses', problem === undefined ? [] : [sdkError('addresses_unavailable', problem)])
      flush()
    },
  )
  const mirror = createMirror(core)
  const current = (): Pick<Cart, 'shipping_address' | 'billing_address'> => {
    const shippingAddress = shipping.value() ?? given.shipping ?? null
    const ownBilling = billing.value() ?? given.billing ?? null
    return { shipping_address: shippingAddress, billing_address: mirror.isOn() ? shippingAddress : ownBilling }
  }
  /** Has the addresses priced that have changed since. */
  const flush = () => {
    window.clearTimeout(timer)
    const now = current()
    const cart = pricer.cart()
    const isKnown =
      isSame(now.shipping_address, cart.shipping_address) && isSame(now.billing_address, cart.billing_address)
    const text = JSON.stringify(now)
    // What the server refused is not sent again until it has changed.
    if (isKnown || text === sent) return
    sent = text
    void pricer.change((before) => ({ ...before, ...now }))
  }
  const show = (state: CheckoutState) => {
    shipping.show(state.shipping.address_required)
    billing.show(!mirror.isOn() && needsBilling(core, store, state))
    shipping.showErrors(state.errors)
    billing.showErrors(state.errors)
    flush()
  }
  mirror.onChange(() => show(store.state()))

  return {
    scan() {
      shipping.scan()
      billing.scan()
      show(store.state())
    },
    show,
    flush,
    /** Takes addresses from the page. They fill in the forms, too. */
    give(addresses: Given) {
      given = { ...given, ...addresses }
      if (addresses.shipping) shipping.fill(addresses.shipping)
      if (addresses.billing) billing.fill(addresses.billing)
      return current()
    },
    /** Shows the buyer what is missing; says whether nothing is. */
    report: () => shipping.report() && billing.report(),
    dispose() {
      window.clearTimeout(timer)
      shipping.dispose()
      billing.dispose()
    },
  }
}

export type Addresses = ReturnType<typeof createAddresses>
