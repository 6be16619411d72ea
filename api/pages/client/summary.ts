import { DIGITS_ON_PAGES } from '../../../domain/orders/public.ts'

/** Part of the scripts that show a cart or an order: amounts, new elements, and the list of lines and sums. All texts are set as text. */
export const SUMMARY_SOURCE = `
  const DIGITS = ${JSON.stringify(DIGITS_ON_PAGES)}
  const money = (amount, currency) => {
    if (!currency) return String(amount)
    const [power, places] = Object.keys(DIGITS).find((digits) => DIGITS[digits].includes(currency)) || '22'
    return (amount / 10 ** power).toLocaleString(document.documentElement.lang, {
      style: 'currency',
      currency,
      minimumFractionDigits: places,
    })
  }
  const put = (parent, tag, text, name) => {
    const element = parent.appendChild(document.createElement(tag))
    if (text !== undefined) element.textContent = text
    if (name) element.className = name
    return element
  }
  const sums = { subtotal: 'Subtotal', discount: 'Discount', tax: 'Tax', shipping: 'Shipping', total: 'Total' }
  const summarize = (place, { line_items: items, totals }) => {
    const list = put(place, 'dl')
    for (const { name, quantity, line_amount, terms } of items) {
      put(list, 'dt', quantity > 1 ? name + ' × ' + quantity : name)
      put(list, 'dd', money(line_amount, totals.currency))
      if (terms) put(list, 'dd', terms, 'terms')
    }
    for (const [key, title] of Object.entries(sums)) {
      if (key !== 'total' && !totals[key]) continue
      put(list, 'dt', title, key)
      put(list, 'dd', money(key === 'discount' ? -totals[key] : totals[key], totals.currency), key)
    }
  }`
