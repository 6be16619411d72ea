import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'
import type { Renderer } from './context.ts'
import { attributes, styles } from './escape.ts'
import { background, border, color, fontSize, isTrue, length, px, radius, word } from './values.ts'

/** What a type of input is to the SDK and to the browser. */
interface InputType {
  readonly element: string
  readonly type: string
  readonly autocomplete?: string
  readonly label: string
}

const TYPES: Readonly<Record<string, InputType>> = {
  name: { element: 'name', type: 'text', autocomplete: 'name', label: 'Name' },
  first_name: { element: 'first-name', type: 'text', autocomplete: 'given-name', label: 'First name' },
  last_name: { element: 'last-name', type: 'text', autocomplete: 'family-name', label: 'Last name' },
  email: { element: 'email', type: 'email', autocomplete: 'email', label: 'E-mail address' },
  phone_number: { element: 'phone', type: 'tel', autocomplete: 'tel', label: 'Phone' },
}

/** Parts of an address. Opt-ins have no field for them, so they become attributes of the contact. */
const ADDRESS: Readonly<Record<string, readonly [autocomplete: string, label: string]>> = {
  shipping_address: ['street-address', 'Street'],
  shipping_city: ['address-level2', 'City'],
  shipping_state: ['address-level1', 'State'],
  shipping_country: ['country-name', 'Country'],
  shipping_zip: ['postal-code', 'Postal code'],
}

const typeOf = ({ attributes: values }: MarkupElement): InputType => {
  const type = values.get('type') ?? 'text'
  if (Object.hasOwn(TYPES, type)) return TYPES[type]!
  if (Object.hasOwn(ADDRESS, type)) {
    const [autocomplete, label] = ADDRESS[type]!
    return { element: `custom-attribute:${type}`, type: 'text', autocomplete: `shipping ${autocomplete}`, label }
  }
  const key = (values.get('name') || values.get('label') || values.get('placeholder') || 'text').trim()
  return { element: `custom-attribute:${key}`, type: 'text', label: key }
}

/** Returns a field with its label. Fields without one are named by their placeholder, or else by their type. */
export const input: Renderer = (element, page) => {
  const { attributes: values } = element
  const { element: registered, type, autocomplete, label: usual } = typeOf(element)
  const label = values.get('label')
  const id = values.get('id') || page.nextId()
  const placeholder = values.get('placeholder') || undefined
  const style = styles({
    'border-radius': radius(element, 'radius'),
    border: border(element, 'border'),
    padding: px(element, 'padding'),
  })
  const field = {
    'data-cf-element': registered,
    ...{ id, type, autocomplete, placeholder, required: isTrue(element, 'required'), style },
    'aria-label': label ? undefined : (placeholder ?? usual),
  }
  const width = styles({ width: length(element, 'width') })
  const named = label ? `<label${attributes({ for: id })}>${escapeHtml(label)}</label>` : ''
  return `<div${attributes({ class: 'field', style: width })}>${named}<input${attributes(field)}></div>`
}

const ALIGN = word('left center right')
const GUIDE = word('style1 style2 style3')

/** With an address a button is a link, and without one it submits the inputs of the page. */
export const button: Renderer = (element, page) => {
  const { attributes: values } = element
  const style = styles({
    background: background(element, 'bg'),
    color: color(element, 'color'),
    'font-family': page.fonts.stackOf(element, 'font'),
    '--fs': fontSize(element, 'fontsize') ?? px(element, 'fontsize'),
    '--fsm': fontSize(element, 'fontsize-mobile') ?? px(element, 'fontsize-mobile'),
    'border-radius': radius(element, 'radius'),
    border: border(element, 'border'),
  })
  const name = ['button', GUIDE(element, 'style-guide')].filter(Boolean).join(' ')
  const shared = { class: name, id: values.get('id') || undefined, style }
  const href = values.get('href')
  const isSubmit = page.plan.first !== undefined
  const [begin, end] = href
    ? [`<a${attributes({ ...shared, href })}>`, '</a>']
    : [`<button${attributes({ ...shared, type: isSubmit ? 'submit' : 'button' })}>`, '</button>']
  const placing = styles({
    '--ta': ALIGN(element, 'align'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
  })
  return { begin: `<span${attributes({ class: 'align mt', style: placing })}>${begin}`, end: `${end}</span>` }
}
