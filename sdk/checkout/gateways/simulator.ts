import type { CheckoutError } from '../../index.d.ts'
import { make, uniqueId } from '../page/elements.ts'
import { type CardPart, cardField } from './card-fields.ts'
import type { CreateField, Tokenize } from './gateway.ts'
import type { Script } from './script.ts'
import { isCode, isFuture, testToken } from './test-cards.ts'

const ATTRIBUTES = {
  number: { autocomplete: 'cc-number', placeholder: '4242 4242 4242 4242' },
  expiration: { autocomplete: 'cc-exp', placeholder: 'MM / YY' },
  cvv: { autocomplete: 'cc-csc', placeholder: 'CVC' },
} as const

const PROBLEMS: Readonly<Record<CardPart, { readonly code: string; readonly message: string }>> = {
  number: { code: 'incorrect_number', message: 'Please use a test card, such as 4242 4242 4242 4242.' },
  expiration: { code: 'invalid_expiry', message: 'Please enter a month that has not ended, such as 12 / 34.' },
  cvv: { code: 'incorrect_cvc', message: 'Please enter the three or four digits of the security code.' },
}

const QUESTION = {
  title: 'Your bank asks',
  text: 'This is a test of 3-D Secure. Do you authorise this payment?',
  accept: 'Authorise',
  cancel: 'Refuse',
}

/** The field needs no script. */
const NO_SCRIPT: Script<undefined> = {
  arrives: Promise.resolve(),
  read: () => undefined,
  load: () => Promise.resolve(),
}

/** The built-in gateway's own field, which takes test cards. Nothing of any other card is sent anywhere. */
export const createField: CreateField = ({ core }) => {
  const { document } = core.host
  const parts = (['number', 'expiration', 'cvv'] as const).map((part) => {
    const id = uniqueId(`card-${part}`)
    const input = make(document, 'input', {
      id,
      type: 'text',
      inputmode: 'numeric',
      required: true,
      ...ATTRIBUTES[part],
    })
    const field = cardField(document, part, input)
    input.addEventListener('input', () => field.show(undefined))
    return { part, input, ...field }
  })
  const box = make(document, 'div', { class: 'cf-sdk-card' }, ...parts.map(({ element }) => element))
  const text = (part: CardPart) => parts.find((other) => other.part === part)?.input.value ?? ''
  const isGood = {
    number: () => testToken(text('number')) !== undefined,
    expiration: () => isFuture(text('expiration'), new Date()),
    cvv: () => isCode(text('cvv')),
  }
  const tokenize: Tokenize = async () => {
    const bad = parts.filter(({ part }) => !isGood[part]())
    for (const { part, show } of bad) show(PROBLEMS[part].message)
    bad[0]?.input.focus()
    const token = testToken(text('number'))
    if (bad.length === 0 && token !== undefined) return { token }
    return { errors: bad.map(({ part }): CheckoutError => ({ ...PROBLEMS[part], source: 'gateway' })) }
  }
  return {
    script: NO_SCRIPT,
    mount(place, tell) {
      place.append(box)
      tell.ready()
    },
    update: () => undefined,
    submit: () => tokenize,
    authenticate: (_action, askBuyer) => askBuyer(QUESTION),
    unmount: () => box.remove(),
  }
}
