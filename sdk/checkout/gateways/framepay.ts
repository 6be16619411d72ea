import type { CheckoutError } from '../../index.d.ts'
import { make } from '../page/elements.ts'
import { defined, type StyleTokens, styleTokens } from '../page/tokens.ts'
import { type CardPart, cardField } from './card-fields.ts'
import type { FramePay, FramePayElement, FramePayError } from './framepay-js.ts'
import type { CreateField, PaymentDetails, Tokenize } from './gateway.ts'
import { scriptOf } from './script.ts'

const SCRIPT = 'https://framepay.payments.ai/framepay.js'
const TYPES = { number: 'cardNumber', expiration: 'cardExpiry', cvv: 'cardCvv' } as const

/** Forwards what a frame of FramePay honours: only the text is in it, the rest is in the host document. */
const style = (tokens: StyleTokens) => ({
  base: {
    ...defined({
      color: tokens['color-text'],
      backgroundColor: tokens['color-background'],
      fontFamily: tokens['font-family'],
      fontSize: tokens['font-size'],
    }),
    placeholder: defined({ color: tokens['color-placeholder'] }),
  },
  focus: defined({ color: tokens['color-primary'] }),
  invalid: defined({ color: tokens['color-danger'] }),
})

const problem = ({ code, message }: FramePayError): CheckoutError => ({
  code: code || 'card_error',
  message: message || 'The card could not be used.',
  source: 'gateway',
})

const billingAddress = ({ buyer: { contact }, address }: PaymentDetails) => {
  const [first = '', ...rest] = contact.name?.trim().split(/\s+/) ?? []
  return {
    ...defined({
      firstName: contact.first_name ?? (first || undefined),
      lastName: contact.last_name ?? (rest.join(' ') || undefined),
      address: address?.street,
      address2: address?.street_two,
      city: address?.city,
      region: address?.region || undefined,
      country: address?.country,
      postalCode: address?.postal_code || undefined,
    }),
    emails: [{ label: 'main', value: contact.email, primary: true }],
    ...(contact.phone && { phoneNumbers: [{ label: 'main', value: contact.phone, primary: true }] }),
  }
}

/** The three frames of a card, each in a labelled wrapper in the host document. */
const mountParts = (framepay: FramePay, box: HTMLElement) => {
  const document = box.ownerDocument
  const elements: FramePayElement[] = []
  for (const part of ['number', 'expiration', 'cvv'] satisfies CardPart[]) {
    const place = make(document, 'div', { role: 'group' })
    const field = cardField(document, part, place)
    place.setAttribute('aria-labelledby', field.labelId)
    box.append(field.element)
    const element = framepay.card.mount(place, TYPES[part])
    element.on('change', ({ error }) => field.show(error ? (error.message ?? 'Please check this.') : undefined))
    elements.push(element)
  }
  return elements
}

const QUESTION = {
  title: 'Your bank asks',
  text: 'Please authorise the payment on the page of your bank, which opens in a window of its own.',
  accept: 'I have authorised it',
  cancel: 'Cancel',
}

/** Payments AI's FramePay: frames for the card, and a token from its own servers. */
export const createField: CreateField = ({ core, key, script = SCRIPT }) => {
  const { document } = core.host
  const framepay = scriptOf<FramePay>(core.host, script, 'Framepay')
  let elements: readonly FramePayElement[] = []
  /** The mount that counts: FramePay tells all that ever asked. */
  let turn: symbol | undefined
  const box = make(document, 'div', { class: 'cf-sdk-card' })

  const unmount = () => {
    turn = undefined
    for (const element of elements) element.destroy()
    elements = []
    box.replaceChildren()
    box.remove()
  }
  /** Its own style sheet gives the frames their size. */
  const loadStyle = () => {
    const href = script.replace(/\.js$/, '.css')
    const isThere = [...document.querySelectorAll<HTMLLinkElement>('link')].some((link) => link.href === href)
    if (!isThere) document.head.append(make(document, 'link', { rel: 'stylesheet', href }))
  }
  const tokenize: Tokenize = async (details) => {
    const loaded = framepay.read()
    if (!loaded) return { errors: [problem({ message: 'The payment form has not been loaded.' })] }
    try {
      const extra = { method: 'payment-card', billingAddress: billingAddress(details) }
      return { token: (await loaded.createToken(details.form, extra)).id }
    } catch (error) {
      core.warn('FramePay tokenization failed')
      return { errors: [problem(error instanceof Object ? error : {})] }
    }
  }
  return {
    script: framepay,
    mount(place, tell) {
      unmount()
      const loaded = framepay.read()
      if (!loaded) throw new Error('FramePay is gone')
      const mine = Symbol('mount')
      turn = mine
      loadStyle()
      loaded.on('ready', () => {
        if (turn !== mine || elements.length > 0) return
        try {
          elements = mountParts(loaded, box)
          tell.ready()
        } catch (error) {
          tell.failed(String(error))
        }
      })
      loaded.on('error', ({ message }) => elements.length === 0 && tell.failed(message))
      place.append(box)
      tell.mounted()
      loaded.initialize({ publishableKey: key, icon: { display: false }, style: style(styleTokens(document)) })
    },
    update: () => undefined,
    submit: () => tokenize,
    async authenticate(action, askBuyer) {
      if (!('url' in action)) throw new Error('The question is of another gateway')
      const link = { label: 'Go to your bank', url: action.url }
      return askBuyer({ ...QUESTION, link })
    },
    unmount,
  }
}
