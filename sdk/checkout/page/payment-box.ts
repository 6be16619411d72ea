import type { CheckoutError } from '../../index.d.ts'
import type { FieldShown } from '../field-states.ts'
import { make, say, setAttribute } from './elements.ts'

/** What the SDK puts into a `payment-method` mount: the gateway's field, what goes on, and what went wrong. */
export interface PaymentBox {
  readonly element: HTMLElement
  /** Place of the gateway's field. */
  readonly field: HTMLElement
  /** Shows the field, or hides it; then it takes no part in validation. */
  show(isNeeded: boolean): void
  /** Says how a charge goes on, before anything else; an empty text when none does. */
  say(text: string): void
  /** Shows how the field stands: what goes on, whether to wait, and a button to try again. */
  showField(shown: FieldShown): void
  showErrors(errors: readonly CheckoutError[]): void
}

export const createPaymentBox = (document: Document, onRetry: () => void): PaymentBox => {
  const field = make(document, 'fieldset', { class: 'cf-sdk-payment-field', 'aria-label': 'Payment' })
  Object.assign(field.style, { border: '0', margin: '0', padding: '0', minInlineSize: '0' })
  const status = make(document, 'p', { role: 'status', class: 'cf-sdk-payment-status' })
  const errors = make(document, 'div', { role: 'alert', class: 'cf-sdk-payment-errors' })
  const retry = make(document, 'button', { type: 'button', class: 'cf-sdk-payment-retry', hidden: true }, 'Try again')
  retry.addEventListener('click', onRetry)
  const element = make(document, 'div', { class: 'cf-sdk-payment' }, field, status, errors, retry)
  let shown = ''
  let ofCharge = ''
  let ofField = ''
  const saySo = () => say(status, ofCharge || ofField)
  return {
    element,
    field,
    show(isNeeded) {
      field.hidden = field.disabled = !isNeeded
    },
    say(text) {
      ofCharge = text
      saySo()
    },
    showField({ status, overdue, errors }) {
      ofField = status
      saySo()
      setAttribute(element, 'aria-busy', overdue && 'true')
      retry.hidden = errors.length === 0
    },
    showErrors(all) {
      const lines = [...new Set(all.filter(({ code }) => code !== 'no_products').map(({ message }) => message))]
      if (lines.join('\n') === shown) return
      shown = lines.join('\n')
      errors.replaceChildren(...lines.map((line) => make(document, 'p', {}, line)))
    },
  }
}
