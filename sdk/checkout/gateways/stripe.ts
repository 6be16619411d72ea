import type { CheckoutError, CheckoutState } from '../../index.d.ts'
import { defined, type StyleTokens, styleTokens } from '../page/tokens.ts'
import type { CreateField, PaymentDetails } from './gateway.ts'
import { loadGlobal, within } from './script.ts'
import type { StripeElements, StripeError, StripeFactory, StripeJs, StripePaymentElement } from './stripe-js.ts'

const SCRIPT = 'https://js.stripe.com/v3/'

/** Forwards the page's style to the Payment Element, which honours all of it. */
const appearance = (tokens: StyleTokens) => ({
  theme: tokens['color-scheme'] === 'dark' ? 'night' : 'stripe',
  variables: defined({
    colorPrimary: tokens['color-primary'],
    colorText: tokens['color-text'],
    colorDanger: tokens['color-danger'],
    colorTextPlaceholder: tokens['color-placeholder'],
    colorBackground: tokens['color-background'],
    borderRadius: tokens['border-radius'],
    fontFamily: tokens['font-family'],
    fontSizeBase: tokens['font-size'],
    spacingUnit: tokens['spacing-unit'],
  }),
  rules: {
    '.Input': defined({
      borderColor: tokens['color-border'],
      boxShadow: tokens['input-shadow'],
    }),
  },
})

const problem = ({ code, decline_code, type, message }: StripeError): CheckoutError => ({
  code: decline_code || code || type || 'card_error',
  message: message ?? 'The card could not be used.',
  source: 'gateway',
})

/** Names and address go to Stripe with the card, so that the buyer is not asked for them twice. */
const billingDetails = ({ buyer: { contact }, address }: PaymentDetails) => {
  const name = contact.name ?? [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  return {
    email: contact.email,
    ...(name && { name }),
    ...(contact.phone && { phone: contact.phone }),
    ...(address && {
      address: {
        line1: address.street,
        line2: address.street_two ?? '',
        city: address.city,
        state: address.region,
        postal_code: address.postal_code,
        country: address.country,
      },
    }),
  }
}

type Totals = CheckoutState['totals']

/** What the element is to collect a method for: a sum, or, where a subscription begins with nothing to pay, only later ones. */
const aimOf = ({ total, currency }: Totals) => {
  const inCurrency = { currency: (currency ?? 'usd').toLowerCase() }
  return total > 0
    ? ({ mode: 'payment', amount: total, ...inCurrency } as const)
    : ({ mode: 'setup', ...inCurrency } as const)
}

/**
 * Stripe's Payment Element, mounted before there is an intent ("deferred"). It needs a currency and so appears with the first
 * total. The method is saved for a following offer.
 */
export const createField: CreateField = ({ core, key, script }) => {
  let stripe: StripeJs | undefined
  let elements: StripeElements | undefined
  let element: StripePaymentElement | undefined
  let totals: Totals | undefined
  let place: HTMLElement | undefined

  const appear = (): Promise<void> => {
    if (!stripe || !place || !totals?.currency || element) return Promise.resolve()
    elements = stripe.elements({
      ...aimOf(totals),
      paymentMethodCreation: 'manual',
      setupFutureUsage: 'off_session',
      appearance: appearance(styleTokens(core.host.document)),
    })
    const created = elements.create('payment', {})
    element = created
    const ready = new Promise<void>((resolve, reject) => {
      created.on('ready', () => resolve())
      created.on('loaderror', ({ error }) => reject(new Error(error.message)))
    })
    created.mount(place)
    return within(core.host, ready)
  }
  const unmount = () => {
    element?.destroy()
    element = elements = undefined
  }
  return {
    async mount(mountPlace) {
      place = mountPlace
      unmount()
      stripe ??= (await loadGlobal<StripeFactory>(core.host, script ?? SCRIPT, 'Stripe'))(key)
      await appear()
    },
    update(next) {
      totals = next
      if (elements && next.currency) elements.update(aimOf(next))
      else void appear().catch(unmount)
    },
    async tokenize(details) {
      if (!stripe || !elements) return { errors: [problem({ message: 'The payment form has not been loaded.' })] }
      const submitted = await elements.submit()
      if (submitted.error) return { errors: [problem(submitted.error)] }
      const params = { billing_details: billingDetails(details) }
      const { paymentMethod, error } = await stripe.createPaymentMethod({ elements, params })
      return paymentMethod ? { token: paymentMethod.id } : { errors: [problem(error ?? {})] }
    },
    async authenticate(action) {
      if (!('client_secret' in action) || !stripe) return 'refused'
      const { error } = await stripe.handleNextAction({ clientSecret: action.client_secret })
      return error ? 'refused' : 'approved'
    },
    unmount,
  }
}
