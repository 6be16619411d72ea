import { SUMMARY_SOURCE } from './summary.ts'

/**
 * Script of pages with a `checkout` or an `order-summary`. It tells the SDK which prices are chosen, and shows the cart as the server has priced it.
 * All texts are set as text. Without the SDK it does nothing.
 */
export const CHECKOUT_SOURCE = `(() => {
  const sdk = window.CfSdk
  if (!sdk) return
  const { checkout } = sdk
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
${SUMMARY_SOURCE}
  const rates = (place, { shipping: { options, selected_option_id: selected }, totals }) => {
    place.hidden = options.length < 2
    for (const old of all('label', place)) old.remove()
    for (const { id, name, amount } of options) {
      const label = put(place, 'label', undefined, 'option')
      const input = put(label, 'input')
      input.type = 'radio'
      input.name = 'mr-rate'
      input.checked = id === selected
      input.onchange = () => checkout.setShipping(id)
      put(label, 'span', name || 'Shipping')
      put(label, 'strong', money(amount, totals.currency))
    }
  }
  let delivers = false
  const walks = []
  const paint = (state) => {
    delivers = state.shipping.address_required
    for (const place of all('.check[data-mr-delivery]')) place.hidden = !delivers
    for (const show of walks) show()
    for (const place of all('[data-mr-summary]')) {
      place.textContent = ''
      if (state.line_items.length > 0) summarize(place, state)
    }
    for (const place of all('[data-mr-rates]')) {
      const focused = place.contains(document.activeElement)
      rates(place, state)
      if (focused) all('input', place).find((input) => input.checked)?.focus()
    }
    say(state.errors)
  }
  const say = (errors) => {
    const tell = (selector, of) => {
      const texts = errors.filter((error) => error.code !== 'no_products' && of(error)).map(({ message }) => message)
      for (const place of all(selector)) place.textContent = [...new Set(texts)].join(' ')
      return texts.length > 0
    }
    const ofCode = ({ field }) => field === 'coupon_codes'
    const isWrong = tell('[data-mr-code-error]', ofCode)
    for (const code of all('[data-mr-code]')) code.ariaInvalid = isWrong ? 'true' : null
    tell('[data-mr-errors]', (error) => !ofCode(error))
  }
  checkout.onStateChange(paint)
  checkout.onError(say)

  for (const root of all('[data-mr-checkout]')) {
    const lines = all('[data-mr-line]', root)
    const chosen = new Set()
    const choose = () => {
      for (const line of lines) {
        const isChosen = line.type === 'hidden' || line.checked
        if (isChosen === chosen.has(line)) continue
        if (isChosen) chosen.add(line)
        else chosen.delete(line)
        const [variant, price] = line.value.split('|')
        checkout.setQuantity(variant, price, isChosen ? 1 : 0)
      }
    }
    for (const line of lines) line.addEventListener('change', choose)
    choose()
    const code = root.querySelector('[data-mr-code]')
    const apply = () => {
      const text = code.value.trim()
      checkout.updateState({ coupon_codes: text ? [text] : [] })
    }
    root.querySelector('[data-mr-apply]').onclick = apply
    code.onkeydown = (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      apply()
    }
    walk(all('[data-mr-step]', root), root.querySelector('[data-cf-element=pay]'))
  }

  /** Shows the steps of a checkout one after the other. Where nothing is shipped there is none for the delivery. */
  function walk(steps, pay) {
    if (steps.length < 2) return
    let [current] = steps
    const wanted = () => steps.filter((step) => delivers || !step.matches('[data-mr-delivery]'))
    const after = () => wanted().find((step) => steps.indexOf(step) > steps.indexOf(current))
    const show = () => {
      const now = wanted()
      if (!now.includes(current)) current = after()
      const at = now.indexOf(current)
      for (const step of steps) step.hidden = !now.slice(0, at + 1).includes(step)
      pay.hidden = at < now.length - 1
      next.hidden = !pay.hidden
    }
    const next = put(pay.parentNode, 'button', 'Continue', 'button')
    next.type = 'button'
    next.onclick = () => {
      const invalid = all('input,select', current).find((field) => !field.checkValidity())
      if (invalid) return invalid.reportValidity()
      current = after()
      show()
      all('input,select,button', current).find((field) => field.offsetParent)?.focus()
    }
    pay.before(next)
    walks.push(show)
    show()
  }
})()
`
