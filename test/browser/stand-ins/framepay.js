/**
 * Stands in for https://framepay.payments.ai/framepay.js in tests, and behaves by its public documentation
 * (https://www.rebilly.com/docs/dev-docs/framepay): it is initialised with a publishable key, tells `ready` or `error`, mounts each part of a
 * card where it is told, and makes a token of them. What the page did with it is in `window.framepayCalls`. In `window.framepayStandIn` a test
 * says after how many milliseconds it is `ready`.
 */
;(() => {
  const calls = []
  window.framepayCalls = calls
  const listeners = { ready: [], error: [] }
  const parts = new Map()
  const labels = {
    cardNumber: 'FramePay card number',
    cardExpiry: 'FramePay expiry',
    cardCvv: 'FramePay security code',
  }

  const mount = (place, type) => {
    const target = typeof place === 'string' ? document.querySelector(place) : place
    if (!target) throw new Error('Could not mount FramePay to element.')
    if (!labels[type]) throw new Error(`Unknown type ${type}`)
    const input = document.createElement('input')
    input.setAttribute('aria-label', labels[type])
    const handlers = {}
    input.addEventListener('input', () => {
      const valid = input.value.trim() !== ''
      for (const handler of handlers.change ?? [])
        handler({
          valid,
          completed: valid,
          error: valid ? null : { code: 'invalid', message: `${labels[type]} is wrong` },
        })
    })
    target.append(input)
    parts.set(type, input)
    return {
      on(event, handler) {
        handlers[event] = [...(handlers[event] ?? []), handler]
      },
      destroy() {
        input.remove()
        parts.delete(type)
      },
    }
  }
  window.Framepay = {
    on(event, listener) {
      listeners[event].push(listener)
    },
    initialize(options) {
      calls.push(['initialize', structuredClone(options)])
      const isKey = typeof options.publishableKey === 'string' && options.publishableKey.startsWith('pk_')
      const event = isKey ? 'ready' : 'error'
      setTimeout(() => {
        for (const listener of listeners[event]) listener({ code: 'network-error', message: 'Initialization Error' })
      }, window.framepayStandIn?.ready ?? 20)
    },
    card: { mount },
    async createToken(form, extra) {
      if (!(form instanceof HTMLFormElement)) throw { code: 'invalid-form', message: 'A form is needed', details: [] }
      const number = parts.get('cardNumber')?.value.replace(/\D/g, '') ?? ''
      calls.push(['createToken', structuredClone(extra)])
      if (number.length !== 16)
        throw { code: 'incomplete-number', message: 'The card number is incomplete', details: [] }
      if (!extra.billingAddress?.firstName)
        throw { code: 'token-validation-error', message: 'The first name is required', details: [] }
      return {
        id: window.standInToken?.('token_', number.slice(-4)) ?? `token_${number.slice(-4)}`,
        method: 'payment-card',
        isUsed: false,
      }
    },
  }
})()
