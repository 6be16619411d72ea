import type { CheckoutError } from '../../index.d.ts'
import { wait } from '../calls.ts'
import { openDialog } from '../page/dialog.ts'
import { make } from '../page/elements.ts'
import { defined, type StyleTokens, styleTokens } from '../page/tokens.ts'
import { type CardPart, cardField } from './card-fields.ts'
import type { FramePay, FramePayElement, FramePayError } from './framepay-js.ts'
import type { CreateField, PaymentDetails } from './gateway.ts'
import { loadGlobal, within } from './script.ts'

const SCRIPT = 'https://framepay.payments.ai/framepay.js'
const TYPES = { number: 'cardNumber', expiration: 'cardExpiry', cvv: 'cardCvv' } as const
/** How often it is asked whether the bank's page, in a window of its own, has been answered. */
const ASK_EVERY = 2500

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

/** Payments AI's FramePay: frames for the card, and a token from its own servers. */
export const createField: CreateField = ({ core, key, script }) => {
  const { host } = core
  const { document } = host
  let framepay: FramePay | undefined
  let elements: readonly FramePayElement[] = []
  const box = make(document, 'div', { class: 'cf-sdk-card' })

  const unmount = () => {
    for (const element of elements) element.destroy()
    elements = []
    box.replaceChildren()
    box.remove()
  }
  /** Its own style sheet gives the frames their size. */
  const loadStyle = () => {
    const href = (script ?? SCRIPT).replace(/\.js$/, '.css')
    const isThere = [...document.querySelectorAll<HTMLLinkElement>('link')].some((link) => link.href === href)
    if (!isThere) document.head.append(make(document, 'link', { rel: 'stylesheet', href }))
  }
  return {
    async mount(place) {
      unmount()
      framepay ??= await loadGlobal<FramePay>(host, script ?? SCRIPT, 'Framepay')
      const loaded = framepay
      loadStyle()
      const ready = new Promise<void>((resolve, reject) => {
        loaded.on('ready', () => resolve())
        loaded.on('error', ({ message }) => reject(new Error(message)))
      })
      loaded.initialize({ publishableKey: key, icon: { display: false }, style: style(styleTokens(document)) })
      await within(host, ready)
      place.append(box)
      elements = mountParts(loaded, box)
    },
    update: () => undefined,
    async tokenize(details) {
      if (!framepay) return { errors: [problem({ message: 'The payment form has not been loaded.' })] }
      try {
        const extra = { method: 'payment-card', billingAddress: billingAddress(details) }
        return { token: (await framepay.createToken(details.form, extra)).id }
      } catch (error) {
        core.warn('FramePay tokenization failed')
        return { errors: [problem(error instanceof Object ? error : {})] }
      }
    },
    async authenticate(action, ask) {
      if (!('url' in action)) return 'refused'
      const dialog = openDialog(document, core.signal, {
        title: 'Your bank asks',
        text: 'Please authorise the payment on the page of your bank, which opens in a window of its own.',
        link: { label: 'Go to your bank', url: action.url },
        accept: 'I have authorised it',
        cancel: 'Cancel',
      })
      let isOpen = true
      void dialog.answer.then(() => {
        isOpen = false
      })
      while (isOpen) {
        await wait(host, ASK_EVERY)
        const answer = isOpen ? await ask() : undefined
        if (answer?.ok && answer.status !== 'action') dialog.close('approved')
      }
      return dialog.answer
    },
    unmount,
  }
}
