import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'
import type { Option, Renderer, Rendering, ShownImage, ShownProduct } from './context.ts'
import { attributes } from './escape.ts'

const image = ({ src, alt }: ShownImage, page: Rendering): string => {
  const loading = page.hasImage ? 'lazy' : undefined
  page.hasImage = true
  return `<img${attributes({ src, alt, loading, decoding: 'async' })}>`
}

const label = ({ name, price }: Option): string =>
  `<span>${escapeHtml(name)}</span><strong>${escapeHtml(price)}</strong>`

const choice = (option: Option, type: 'radio' | 'checkbox', group: string, checked: boolean, before = ''): string =>
  `<label class="option"><input${attributes({ type, name: group, value: option.value, checked, 'data-mr-line': true })}>${before}${label(option)}</label>`

/** The visitor buys one of the prices of the products; where there is only one, nothing is to be chosen. */
const products = (page: Rendering): string => {
  const options = page.content.products.flatMap((product) => product.options)
  const group = page.nextId()
  if (options.length === 1) {
    const [option] = options as [Option]
    const line = { type: 'hidden', value: option.value, 'data-mr-line': true }
    return `<p class="option">${label(option)}<input${attributes(line)}></p>`
  }
  if (options.length === 0) return ''
  const choices = options.map((option, index) => choice(option, 'radio', group, index === 0))
  return `<fieldset class="products"><legend class="legend">Your choice</legend>${choices.join('')}</fieldset>`
}

const bump = ({ options, preheadline }: ShownProduct, page: Rendering): string => {
  const [option] = options
  if (!option) return ''
  const before = preheadline ? `<span><b>${escapeHtml(preheadline)}</b></span>` : ''
  return choice(option, 'checkbox', page.nextId(), false, before)
}

const bumps = (page: Rendering): string => {
  const offered = page.content.bumps.map((product) => bump(product, page)).join('')
  return offered === ''
    ? ''
    : `<fieldset class="products"><legend class="legend">Add to your order</legend>${offered}</fieldset>`
}

const field = (page: Rendering, name: string, type: string, autocomplete: string, text: string): string => {
  const id = page.nextId()
  const shown = { 'data-cf-element': name, id, type, autocomplete, required: true }
  return `<div class="field"><label for="${id}">${text}</label><input${attributes(shown)}></div>`
}

const step = (title: string, inner: string, isDelivery = false): string =>
  `<fieldset${attributes({ class: 'products', 'data-mr-step': true, 'data-mr-delivery': isDelivery })}><legend class="legend">${title}</legend>${inner}</fieldset>`

/** Shown by the browser while something is shipped: only then is there an address to be the same. */
const SAME_ADDRESS = `<p class="check" data-mr-delivery hidden><label><input type="checkbox" data-cf-element="billing-same-as-shipping" checked> The billing address is the same</label></p>`

/** The form that the SDK takes over. Controls of ours stand outside of it, because it ignores those that it does not know. */
const form = (steps: string | undefined, page: Rendering): string => {
  const contact = [
    field(page, 'email', 'email', 'email', 'E-mail address'),
    field(page, 'first-name', 'text', 'given-name', 'First name'),
    field(page, 'last-name', 'text', 'family-name', 'Last name'),
  ].join('')
  const mount = (name: string) => `<div data-cf-element="${name}"></div>`
  const shipping = mount('shipping')
  const payment = SAME_ADDRESS + mount('billing') + mount('payment-method')
  const parts =
    steps === '3'
      ? [step('Contact', contact), step('Delivery', shipping, true), step('Payment', payment)]
      : steps === '2'
        ? [step('Contact', contact + shipping), step('Payment', payment)]
        : [contact, shipping, payment]
  const pay = '<p><button class="button" type="submit" data-cf-element="pay">Complete purchase</button></p>'
  return `<form>${parts.join('')}<p class="alert" role="alert" data-mr-errors></p>${pay}</form>`
}

const code = (page: Rendering): string => {
  const [id, error] = [page.nextId(), page.nextId()]
  const input = { id, type: 'text', autocomplete: 'off', 'data-mr-code': true, 'aria-describedby': error }
  return `<div class="code"><div class="field"><label for="${id}">Discount code</label><input${attributes(input)}></div><button class="button style2" type="button" data-mr-apply>Apply</button></div><p class="alert" role="alert" id="${error}" data-mr-code-error></p>`
}

const RATES = `<fieldset class="products" data-mr-rates hidden><legend class="legend">Shipping</legend></fieldset>`

const summary = (id?: string): string =>
  `<section${attributes({ class: 'summary', id, 'aria-label': 'Order summary', 'aria-live': 'polite', 'data-mr-summary': true })}></section>`

/** Checkout of the products on the page's step. */
export const checkout: Renderer = (element, page) => {
  const steps = element.attributes.get('steps')
  const id = element.attributes.get('id') || 'checkout'
  // An order summary elsewhere on the page takes the place of the checkout's own.
  const own = page.isSummedUp ? '' : summary()
  const inner = [products(page), bumps(page), code(page), RATES, own, form(steps, page)]
  return `<div${attributes({ class: 'checkout mt', id, 'data-mr-checkout': true })}>${inner.join('')}</div>`
}

/** Cart and totals. They are filled in by the browser, since they are the visitor's own. */
export const orderSummary: Renderer = (element) => summary(element.attributes.get('id') || undefined)

/** Text for everybody: what was ordered is in nobody's page. The browser of the session that ordered it adds it. */
export const confirmation: Renderer = (element) => {
  const id = element.attributes.get('id') || undefined
  return `<div${attributes({ class: 'confirmation mt', id, role: 'status', 'data-mr-orders': true })}><p>Thank you for your order.</p></div>`
}

const ofProduct =
  (render: (product: ShownProduct, page: Rendering, element: MarkupElement) => string): Renderer =>
  (element, page) => {
    const [product] = page.content.products
    return product ? render(product, page, element) : ''
  }

export const productCarousel = ofProduct(({ images, name }, page) =>
  images.length === 0
    ? ''
    : `<div${attributes({ class: 'carousel mt', role: 'group', 'aria-label': `Pictures of ${name}`, tabindex: 0 })}>${images.map((one) => image(one, page)).join('')}</div>`,
)
export const productName = ofProduct(({ name }) => `<p class="text mt"><b>${escapeHtml(name)}</b></p>`)
export const productDescription = ofProduct(({ description }) =>
  description === '' ? '' : `<p class="text body">${escapeHtml(description)}</p>`,
)
export const productPrice = ofProduct(({ options: [option] }) =>
  option ? `<p class="text body">${escapeHtml(option.price)}</p>` : '',
)
export const productImage = ofProduct(({ images: [first] }, page) =>
  first ? `<span class="align mt">${image(first, page)}</span>` : '',
)
/** A product is bought on the page itself. */
export const productLink = ofProduct(
  ({ name }) => `<p class="text body"><a href="#checkout">${escapeHtml(name)}</a></p>`,
)
