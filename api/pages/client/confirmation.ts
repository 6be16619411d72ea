/**
 * Script of pages with a `confirmation`. It asks the SDK what was bought in this session, which nobody else is told, and adds that to the text for
 * everybody. All texts are set as text. Without the SDK, and without an order, it does nothing.
 */
export const CONFIRMATION_SOURCE = `(() => {
  const places = [...document.querySelectorAll('[data-mr-orders]')]
  const sdk = window.CfSdk
  // A browser may have the SDK of an earlier version.
  if (!sdk?.page) return
  const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
  const money = (amount, currency) => {
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency })
    const digits = WHOLE.includes(currency) ? 0 : format.resolvedOptions().maximumFractionDigits
    return format.format(amount / 10 ** digits)
  }
  const put = (parent, tag, text, name) => {
    const element = parent.appendChild(document.createElement(tag))
    if (text !== undefined) element.textContent = text
    if (name) element.className = name
    return element
  }
  const sums = { subtotal: 'Subtotal', discount: 'Discount', tax: 'Tax', shipping: 'Shipping', total: 'Total' }
  const address = (section, title, of) => {
    if (!of) return
    const { name, organization, street, street_two, city, region, postal_code, country } = of
    const town = [city, region, postal_code].filter((part) => part).join(' ')
    const place = put(section, 'p', undefined, 'address')
    put(place, 'strong', title)
    for (const text of [name, organization, street, street_two, town, country]) {
      if (!text) continue
      put(place, 'br')
      place.append(text)
    }
  }
  const show = (place, { number, line_items, totals, shipping_address, billing_address }) => {
    const section = put(place, 'section', undefined, 'summary')
    put(section, 'p').append('Order ', put(section, 'strong', number))
    const list = put(section, 'dl')
    for (const { name, quantity, line_amount } of line_items) {
      put(list, 'dt', quantity > 1 ? name + ' × ' + quantity : name)
      put(list, 'dd', money(line_amount, totals.currency))
    }
    for (const [key, title] of Object.entries(sums)) {
      if (key !== 'total' && !totals[key]) continue
      put(list, 'dt', title, key)
      put(list, 'dd', money(key === 'discount' ? -totals[key] : totals[key], totals.currency), key)
    }
    address(section, 'Delivery to', shipping_address)
    address(section, 'Billing address', billing_address)
  }
  sdk.page().then((page) => page.call('/orders', {})).then(({ orders = [] }) => {
    for (const place of places) for (const order of orders) show(place, order)
  })
})()
`
