import { SUMMARY_SOURCE } from './summary.ts'

/**
 * Script of pages with a `confirmation`. It asks the SDK what was bought in this session, which nobody else is told, and adds that to the text for
 * everybody. All texts are set as text. Without the SDK, and without an order, it does nothing.
 */
export const CONFIRMATION_SOURCE = `(() => {
  const places = [...document.querySelectorAll('[data-mr-orders]')]
  const sdk = window.CfSdk
  // A browser may have the SDK of an earlier version.
  if (!sdk?.page) return
${SUMMARY_SOURCE}
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
  const show = (place, order) => {
    const section = put(place, 'section', undefined, 'summary')
    put(section, 'p').append('Order ', put(section, 'strong', order.number))
    summarize(section, order)
    address(section, 'Delivery to', order.shipping_address)
    address(section, 'Billing address', order.billing_address)
  }
  sdk.page().then((page) => page.call('/orders', {})).then(({ orders = [] }) => {
    for (const place of places) for (const order of orders) show(place, order)
  })
})()
`
