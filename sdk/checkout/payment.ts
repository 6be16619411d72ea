import type { Core } from '../checkout-port.ts'
import type { CheckoutError, CheckoutState } from '../index.d.ts'
import type { BankResult, FollowDeps } from './follow.ts'
import type { CreateField, GatewayField, PaymentDetails } from './gateways/gateway.ts'
import { type BankAction, sdkError } from './model.ts'
import { make, say, setAttribute } from './page/elements.ts'
import type { Tokenized } from './pay.ts'
import type { Store } from './store.ts'

const FIELDS = {
  simulator: async () => (await import('./gateways/simulator.ts')).createField,
  stripe: async () => (await import('./gateways/stripe.ts')).createField,
  payments_ai: async () => (await import('./gateways/framepay.ts')).createField,
} satisfies Record<string, () => Promise<CreateField>>

const LOADING = 'Loading the payment form…'
const NOT_LOADED = sdkError('gateway_unavailable', 'The payment form could not be loaded.')
const NO_PLACE = sdkError('no_payment_method', 'This page has no place for a payment method.')

/** What is in a `payment-method` mount: the gateway's field, what goes on, and what went wrong. */
const createBox = (document: Document, onRetry: () => void) => {
  const field = make(document, 'div', { class: 'cf-sdk-payment-field' })
  const status = make(document, 'p', { role: 'status', class: 'cf-sdk-payment-status' })
  const errors = make(document, 'div', { role: 'alert', class: 'cf-sdk-payment-errors' })
  const retry = make(document, 'button', { type: 'button', class: 'cf-sdk-payment-retry', hidden: true }, 'Try again')
  retry.addEventListener('click', onRetry)
  return {
    element: make(document, 'div', { class: 'cf-sdk-payment' }, field, status, errors, retry),
    field,
    status,
    errors,
    retry,
  }
}

export type PaymentParts = ReturnType<typeof createPayment>

/**
 * The `payment-method` mount. The gateway's script is loaded when the mount appears; when that fails, the mount says so and has a button
 * to try again, without a reload.
 */
export const createPayment = (core: Core, store: Store) => {
  const { document } = core.host
  const { checkout } = core.init
  let place: HTMLElement | undefined
  let field: GatewayField | undefined
  let loading: Promise<void> | undefined
  let isReady = false

  const load = async (): Promise<void> => {
    setAttribute(box.element, 'aria-busy', 'true')
    say(box.status, LOADING)
    box.retry.hidden = true
    try {
      if (!checkout) throw new Error('no checkout')
      const script = 'script' in checkout && typeof checkout.script === 'string' ? checkout.script : undefined
      field ??= (await FIELDS[checkout.gateway]())({ core, key: checkout.key ?? '', script })
      field.update(store.priced().state.totals)
      await field.mount(box.field)
      isReady = true
      store.report('gateway', [])
    } catch {
      box.retry.hidden = false
      store.report('gateway', [NOT_LOADED])
    }
    say(box.status, '')
    setAttribute(box.element, 'aria-busy', undefined)
    loading = undefined
  }
  const start = () => {
    isReady = false
    loading ??= load()
    return loading
  }
  const box = createBox(document, () => void start())

  return {
    /** Puts the box into the mount that the page has now. */
    scan() {
      const [now] = core.elements('payment-method')
      if (now === place && (now === undefined || box.element.parentNode === now)) return
      place = now
      if (!now) {
        field?.unmount()
        isReady = false
        return box.element.remove()
      }
      now.append(box.element)
      void start()
    },
    /** Keeps the amount in step, hides the field while nothing is to be paid, and shows what is wrong. */
    show({ totals, errors }: CheckoutState) {
      field?.update(totals)
      const { payment_required, state } = store.priced()
      box.field.hidden = !payment_required && state.line_items.length > 0
      const shown = errors.filter(({ code }) => code !== 'no_products').map(({ message }) => message)
      const text = [...new Set(shown)].join('\n')
      if (box.errors.textContent !== text)
        box.errors.replaceChildren(...text.split('\n').map((line) => (line ? make(document, 'p', {}, line) : '')))
    },
    say: (text: string) => say(box.status, text),
    async tokenize(details: PaymentDetails): Promise<Tokenized> {
      if (!place) return { errors: [NO_PLACE] }
      if (!isReady) await start()
      if (!isReady || !field) return { errors: [] satisfies CheckoutError[] }
      try {
        return await field.tokenize(details)
      } catch {
        return { errors: [sdkError('gateway_failed', 'The payment form did not answer. Please try again.')] }
      }
    },
    async authenticate(action: BankAction, ask: Parameters<FollowDeps['authenticate']>[1]): Promise<BankResult> {
      try {
        field ??= checkout
          ? (await FIELDS[checkout.gateway]())({ core, key: checkout.key ?? '', script: undefined })
          : undefined
        return field ? await field.authenticate(action, ask) : 'cancelled'
      } catch {
        return 'cancelled'
      }
    },
    dispose() {
      field?.unmount()
      box.element.remove()
    },
  }
}
