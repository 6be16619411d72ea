import type { Core } from '../checkout-port.ts'
import type { CheckoutState } from '../index.d.ts'
import type { BankResult, FollowDeps } from './follow.ts'
import type { CreateField, GatewayField, PaymentDetails } from './gateways/gateway.ts'
import { type BankAction, sdkError } from './model.ts'
import { createPaymentBox } from './page/payment-box.ts'
import type { Tokenized } from './pay.ts'
import type { Store } from './store.ts'

/** Fields of the gateways, each a chunk of its own. */
const FIELDS = {
  simulator: async () => (await import('./gateways/simulator.ts')).createField,
  stripe: async () => (await import('./gateways/stripe.ts')).createField,
  payments_ai: async () => (await import('./gateways/framepay.ts')).createField,
} satisfies Record<string, () => Promise<CreateField>>

const LOADING = 'Loading the payment form…'
const NOT_LOADED = sdkError('gateway_unavailable', 'The payment form could not be loaded.')
const NO_ANSWER = sdkError('gateway_failed', 'The payment form did not answer. Please try again.')
const NO_PLACE = sdkError('no_payment_method', 'This page has no place for a payment method.')

const createFieldLoader = (core: Core): (() => Promise<GatewayField>) => {
  const { checkout } = core.init
  let field: Promise<GatewayField> | undefined
  const load = async (): Promise<GatewayField> => {
    if (!checkout) throw new Error('The page has no checkout')
    const script = 'script' in checkout && typeof checkout.script === 'string' ? checkout.script : undefined
    const createField = await FIELDS[checkout.gateway]()
    return createField({ core, key: checkout.key ?? '', script })
  }
  return () => {
    field ??= load().catch((error: unknown) => {
      field = undefined
      throw error
    })
    return field
  }
}

/**
 * The `payment-method` mount. The gateway's script is loaded when the mount appears; when that fails, the mount says so and has a button
 * to try again, without a reload.
 */
export const createPayment = (core: Core, store: Store) => {
  const fieldOf = createFieldLoader(core)
  let place: HTMLElement | undefined
  let mounted: GatewayField | undefined
  let loading: Promise<void> | undefined

  const load = async (): Promise<void> => {
    box.busy(true)
    box.offerRetry(false)
    box.say(LOADING)
    try {
      const field = await fieldOf()
      field.update(store.priced().state.totals)
      await field.mount(box.field)
      mounted = field
      store.report('gateway', [])
    } catch {
      box.offerRetry(true)
      store.report('gateway', [NOT_LOADED])
    }
    box.say('')
    box.busy(false)
    loading = undefined
  }
  const start = (): Promise<void> => {
    loading ??= load()
    return loading
  }
  const unmount = () => {
    mounted?.unmount()
    mounted = undefined
    box.element.remove()
  }
  const box = createPaymentBox(core.host.document, () => void start())

  return {
    /** Puts the field into the mount that the page has now. A mount that is only moved takes its field along. */
    scan() {
      const [now] = core.elements('payment-method')
      if (now === place) return
      place = now
      unmount()
      if (!now) return
      now.append(box.element)
      void (loading ?? Promise.resolve()).then(start)
    },
    /** Keeps the gateway's amount in step, hides its field while nothing is to be paid, and shows what is wrong. */
    show({ totals, line_items, errors }: CheckoutState) {
      mounted?.update(totals)
      box.show(line_items.length === 0 || store.priced().payment_required)
      box.showErrors(errors)
    },
    say: box.say,
    async tokenize(details: PaymentDetails): Promise<Tokenized> {
      if (!place) return { errors: [NO_PLACE] }
      if (!mounted) await start()
      // The reason is in the state already.
      if (!mounted) return { errors: [] }
      return mounted.tokenize(details).catch(() => ({ errors: [NO_ANSWER] }))
    },
    /** Lets the buyer answer their bank, also where the page has no mount any more. */
    authenticate: (action: BankAction, ask: Parameters<FollowDeps['authenticate']>[1]): Promise<BankResult> =>
      fieldOf().then(
        (field) => field.authenticate(action, ask).catch(() => 'refused' as const),
        () => 'refused',
      ),
    dispose: unmount,
  }
}

export type Payment = ReturnType<typeof createPayment>
