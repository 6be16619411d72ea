/**
 * Stands in for the core of the SDK in tests of the checkout alone: it loads the checkout as its modules were compiled, lends it the port
 * `Core`, and puts its calls into `window.CfSdk`. `window.seen` has what was emitted, `window.left` where the visitor was led.
 */
import { mount } from '/dist/sdk/checkout/main.js'

const init = JSON.parse(document.querySelector('#init').textContent)
const listeners = { state: [], pending: [], error: [], outcome: [] }
const seen = { state: [], pending: [], error: [], outcome: [] }
const changes = []
const warnings = []
window.seen = seen
window.left = []
window.warnings = warnings

const random = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replace(/[+/=]/g, '_')
    .slice(0, 22)

/** What the browser stores for a tab; nothing where it refuses. */
const tab = () => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

let act
const take = (name, element, form) => act?.({ name, element, form })

const isSubmission = (element) =>
  element.dataset.cfElement?.match(/^(email|first-name|last-name|name|phone|custom-attribute:.*)$/)
const controller = new AbortController()

const core = {
  host: {
    sdk: location.origin,
    window,
    document,
    location,
    storage: localStorage,
    tab: tab(),
    fetch: window.fetch.bind(window),
    console,
    now: () => performance.now(),
    random,
    load: (url) => import(url),
  },
  token: 'cfp_000000000000000000000000',
  init,
  signal: controller.signal,
  session: () => 'secret',
  async call(path, body) {
    try {
      const sent = JSON.stringify({
        token: core.token,
        url: location.origin + location.pathname,
        session: 'secret',
        ...body,
      })
      const response = await fetch(`/sdk${path}`, { method: 'POST', body: sent })
      return await response.json()
    } catch {
      return { ok: false, error: { code: 'unreachable', message: 'The shop could not be reached.' } }
    }
  },
  elements: (name) => [...document.querySelectorAll(`[data-cf-element="${name}"]`)],
  onChange: (listener) => changes.push(listener),
  formOf: (element) => element.closest('form'),
  entries: (form) =>
    [...form.elements]
      .filter(
        (element) => isSubmission(element) && !element.disabled && (element.type !== 'checkbox' || element.checked),
      )
      .map((element) => [element.dataset.cfElement, element.value]),
  onAction(handler) {
    act = handler
  },
  go(url) {
    window.left.push(url)
    if (document.documentElement.dataset.follow !== undefined) location.assign(url)
  },
  warn: (text) => warnings.push(text),
  emit(name, ...values) {
    seen[name].push(structuredClone(values.length > 1 ? values : values[0]))
    for (const listener of listeners[name]) listener(...values)
  },
}

document.addEventListener('submit', (event) => {
  if (!event.target.querySelector('[data-cf-element=pay], [data-cf-element=payment-method]')) return
  event.preventDefault()
  take('pay', event.submitter ?? event.target, event.target)
})
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-cf-element=oto-accept], [data-cf-element=oto-decline]')
  if (button) take(button.dataset.cfElement, button, null)
})
new MutationObserver(() => {
  for (const listener of changes) listener()
}).observe(document.body, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['data-cf-element', 'data-cf-visible'],
})

const checkout = mount(core)
const on = (name) => (listener) => {
  listeners[name].push(listener)
  return () => listeners[name].splice(listeners[name].indexOf(listener), 1)
}
window.CfSdk = {
  checkout: {
    ...checkout,
    onStateChange: on('state'),
    onPending: on('pending'),
    onError: on('error'),
    onOtoOutcome: on('outcome'),
  },
}
