/**
 * Stands in for https://js.stripe.com/v3/ in tests, and behaves by its public documentation (https://docs.stripe.com/js): Elements are mounted
 * before there is an intent, take an amount and a currency that can be updated, have to be submitted before a payment method is made of
 * them, and tell `ready` and `change`. What the page did with it is in `window.stripeCalls`.
 *
 * A test says in `window.stripeStandIn` how it is to be: `ready`, the milliseconds until an element is ready, or `never`, or `fails`;
 * `demandsGesture`, whether `submit` is refused outside the task of a click or a key, as wallets have it; `bank`, which `asks` in a dialog of
 * the browser, `waits` without an end, or is `unreachable`.
 */
{
  window.stripeCalls = window.stripeCalls ?? []
  const standIn = (name) => ({ ready: 20, demandsGesture: false, bank: 'asks', ...window.stripeStandIn })[name]

  let isInGesture = false
  const afterTask = new MessageChannel()
  afterTask.port1.onmessage = () => {
    isInGesture = false
  }
  for (const type of ['click', 'keydown', 'keypress'])
    window.addEventListener(
      type,
      ({ isTrusted }) => {
        isInGesture = isTrusted
        afterTask.port2.postMessage('')
      },
      true,
    )

  const incomplete = (message) => ({ error: { type: 'validation_error', code: 'incomplete_number', message } })

  const check = ({ mode, amount, currency }) => {
    if (mode !== 'payment' && mode !== 'setup') throw new Error('Unknown mode')
    if (mode === 'payment' && !(Number.isInteger(amount) && amount > 0))
      throw new Error('amount must be greater than 0')
    if (!/^[a-z]{3}$/.test(currency ?? '')) throw new Error('currency must be a lower-case code')
  }

  class StripePaymentElement {
    constructor(options) {
      this.options = options
      this.listeners = {}
    }
    on(event, listener) {
      this.listeners[event] = [...(this.listeners[event] ?? []), listener]
    }
    emit(event, value) {
      for (const listener of this.listeners[event] ?? []) listener(value)
    }
    mount(place) {
      const target = typeof place === 'string' ? document.querySelector(place) : place
      if (!target) throw new Error('The selector you specified applies to no DOM elements')
      if (target.childElementCount > 0) throw new Error('The mount point has to be empty')
      this.input = document.createElement('input')
      this.input.setAttribute('aria-label', 'Stripe card number')
      this.input.className = 'stripe-stand-in'
      this.input.addEventListener('input', () => this.emit('change', { complete: this.input.value.length >= 16 }))
      target.append(this.input)
      const ready = standIn('ready')
      if (ready === 'fails') setTimeout(() => this.emit('loaderror', { error: { message: 'Stripe is down' } }), 20)
      else if (ready !== 'never') setTimeout(() => this.emit('ready', {}), ready)
    }
    destroy() {
      this.input?.remove()
    }
  }

  class StripeElements {
    constructor(options) {
      check(options)
      this.options = options
    }
    create(type, options) {
      if (type !== 'payment') throw new Error(`Unknown element ${type}`)
      if (this.element) throw new Error('Can only create one Element of type payment')
      this.element = new StripePaymentElement(options)
      return this.element
    }
    update(options) {
      check({ ...this.options, ...options })
      this.isSubmitted = false
      Object.assign(this.options, options)
      window.stripeCalls.push(['update', options])
    }
    async submit() {
      if (standIn('demandsGesture') && !(isInGesture && navigator.userActivation.isActive))
        throw new Error('elements.submit() must be called in the task of a gesture')
      this.isSubmitted = true
      const number = this.element?.input?.value.replace(/\D/g, '') ?? ''
      return number.length === 16 ? {} : incomplete('Your card number is incomplete.')
    }
  }

  window.Stripe = (key) => {
    if (!key?.startsWith('pk_')) throw new Error('Please call Stripe() with your publishable key')
    return {
      elements(options) {
        window.stripeCalls.push(['elements', structuredClone(options)])
        return new StripeElements(options)
      },
      async createPaymentMethod({ elements, params }) {
        if (elements.options.paymentMethodCreation !== 'manual') throw new Error('paymentMethodCreation must be manual')
        if (!elements.isSubmitted) throw new Error('elements.submit() must be called before')
        const number = elements.element.input.value.replace(/\D/g, '')
        window.stripeCalls.push(['createPaymentMethod', { ...params, amount: elements.options.amount }])
        return { paymentMethod: { id: window.standInToken?.('pm_', number.slice(-4)) ?? `pm_${number.slice(-4)}` } }
      },
      async handleNextAction({ clientSecret }) {
        window.stripeCalls.push(['handleNextAction', clientSecret])
        if (standIn('bank') === 'unreachable')
          return { error: { type: 'api_connection_error', message: 'No connection.' } }
        if (standIn('bank') === 'waits') return new Promise(() => {})
        const isDone = window.confirm('Complete the authentication?')
        return isDone
          ? { setupIntent: { status: 'succeeded' } }
          : { error: { code: 'setup_intent_authentication_failure', message: 'We are unable to authenticate.' } }
      },
    }
  }
}
