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
  const paint = (state) => {
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
    const texts = errors.filter(({ code }) => code !== 'no_products').map(({ message }) => message)
    for (const place of all('[data-mr-errors]')) place.textContent = [...new Set(texts)].join(' ')
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

  /** Shows the steps of a checkout one after the other. */
  function walk(steps, pay) {
    if (steps.length < 2) return
    const show = (at, isMove) => {
      steps.forEach((step, index) => { step.hidden = index > at })
      pay.hidden = at < steps.length - 1
      next.hidden = !pay.hidden
      if (isMove) steps[at].querySelector('input,select,button')?.focus()
      current = at
    }
    let current = 0
    const next = put(pay.parentNode, 'button', 'Continue', 'button')
    next.type = 'button'
    next.onclick = () => {
      const invalid = all('input,select', steps[current]).find((field) => !field.checkValidity())
      if (invalid) invalid.reportValidity()
      else show(current + 1, true)
    }
    pay.before(next)
    show(0, false)
  }
})()
`
