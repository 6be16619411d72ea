import type { CheckoutError, CheckoutState } from '../../index.d.ts'
import type { BankAnswer } from '../follow.ts'
import type { BankAction } from '../model.ts'
import { defined, type StyleTokens, styleTokens } from '../page/tokens.ts'
import type { CreateField, FieldListener, PaymentDetails, Tokenize } from './gateway.ts'
import { scriptOf } from './script.ts'
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

/** Whether the bank or the buyer said no. Any other error says that they were not asked, or that their answer was not heard. */
const isRefusal = ({ type, code }: StripeError): boolean =>
  type === 'card_error' || /_authentication_failure$/.test(code ?? '')

/** Submits what was entered at once, and makes a payment method of it when it is asked to. */
const submitTo = (stripe: StripeJs | undefined, elements: StripeElements | undefined): Tokenize => {
  const submitting = (async () => elements?.submit())()
  // It is heard of when a token is made, which may not come to pass.
  submitting.catch(() => undefined)
  return async (details) => {
    const submitted = await submitting
    if (!stripe || !elements) return { errors: [problem({ message: 'The payment form has not been loaded.' })] }
    if (submitted?.error) return { errors: [problem(submitted.error)] }
    const params = { billing_details: billingDetails(details) }
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements, params })
    return paymentMethod ? { token: paymentMethod.id } : { errors: [problem(error ?? {})] }
  }
}

const askBank = async (connect: () => StripeJs, action: BankAction): Promise<BankAnswer> => {
  if (!('client_secret' in action)) throw new Error('The question is of another gateway')
  const { error } = await connect().handleNextAction({ clientSecret: action.client_secret })
  if (!error) return 'approved'
  if (isRefusal(error)) return 'refused'
  throw new Error(error.message)
}

/**
 * Stripe's Payment Element, mounted before there is an intent ("deferred"). It needs a currency and so appears with the first
 * total. The method is saved for a following offer.
 */
export const createField: CreateField = ({ core, key, script = SCRIPT }) => {
  const factory = scriptOf<StripeFactory>(core.host, script, 'Stripe')
  let stripe: StripeJs | undefined
  let elements: StripeElements | undefined
  let element: StripePaymentElement | undefined
  let totals: Totals | undefined
  let aim = ''
  let mounting: { readonly place: HTMLElement; readonly tell: FieldListener } | undefined

  const connect = (): StripeJs => {
    stripe ??= factory.read()?.(key)
    if (!stripe) throw new Error('Stripe.js is gone')
    return stripe
  }
  const appear = () => {
    if (!mounting || !totals?.currency || element) return
    const { place, tell } = mounting
    const made = connect().elements({
      ...aimOf(totals),
      paymentMethodCreation: 'manual',
      setupFutureUsage: 'off_session',
      appearance: appearance(styleTokens(core.host.document)),
    })
    const created = made.create('payment', {})
    elements = made
    element = created
    aim = JSON.stringify(aimOf(totals))
    created.on('ready', () => element === created && tell.ready())
    created.on('loaderror', ({ error }) => element === created && tell.failed(error.message))
    tell.mounted()
    created.mount(place)
  }
  /** A price may come when nobody waits for what is thrown. */
  const appearOrTell = () => {
    try {
      appear()
    } catch (error) {
      mounting?.tell.failed(String(error))
    }
  }
  const unmount = () => {
    element?.destroy()
    element = elements = mounting = undefined
  }
  return {
    script: factory,
    mount(place, tell) {
      unmount()
      mounting = { place, tell }
      appearOrTell()
    },
    update(next) {
      totals = next
      if (!elements) return appearOrTell()
      const wanted = aimOf(next)
      // An update for nothing would make void what the buyer has just submitted.
      if (!next.currency || JSON.stringify(wanted) === aim) return
      aim = JSON.stringify(wanted)
      elements.update(wanted)
    },
    submit: () => submitTo(stripe, elements),
    authenticate: (action) => askBank(connect, action),
    unmount,
  }
}
