import { make, say, setAttribute, uniqueId } from '../page/elements.ts'

/** Part of a card, with the class hook of its wrapper. */
export const CARD_PARTS = {
  number: { hook: 'cf-sdk-card-number', label: 'Card number' },
  expiration: { hook: 'cf-sdk-card-expiration', label: 'Expiration (MM / YY)' },
  cvv: { hook: 'cf-sdk-card-cvv', label: 'Security code' },
} as const

export type CardPart = keyof typeof CARD_PARTS

/** A labelled wrapper of a card's part in the host document, with the place of its error. */
export const cardField = (document: Document, part: CardPart, control: HTMLElement) => {
  const { hook, label } = CARD_PARTS[part]
  const labelId = uniqueId(`${part}-label`)
  const error = make(document, 'p', { id: uniqueId(`${part}-error`), class: 'cf-sdk-card-error', hidden: true })
  const caption =
    control.tagName === 'INPUT'
      ? make(document, 'label', { id: labelId, for: control.id }, label)
      : make(document, 'span', { id: labelId }, label)
  const element = make(document, 'div', { class: `cf-sdk-card-field ${hook}` }, caption, control, error)
  return {
    element,
    labelId,
    /** Ties an error to the field, or takes it away. */
    show(message: string | undefined) {
      error.hidden = message === undefined
      say(error, message ?? '')
      setAttribute(control, 'aria-invalid', message === undefined ? undefined : 'true')
      setAttribute(control, 'aria-errormessage', message === undefined ? undefined : error.id)
      setAttribute(control, 'aria-describedby', message === undefined ? undefined : error.id)
    },
  }
}
