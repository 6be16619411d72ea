import type { BankAnswer } from '../follow.ts'
import { make, uniqueId } from './elements.ts'

export interface Question {
  readonly title: string
  readonly text: string
  /** Link that opens in a window of its own. */
  readonly link?: { readonly label: string; readonly url: string }
  readonly accept: string
  readonly cancel: string
}

/** A dialog on the page that is open: how it ends, and a way to end it. */
export interface OpenDialog {
  readonly answer: Promise<BankAnswer>
  close(answer: BankAnswer): void
}

/**
 * Asks the buyer something in a modal dialog. The browser keeps the focus in it and gives it back; Escape cancels. `document.body` has it,
 * because a form may not contain another. An abort is no answer.
 */
export const openDialog = (document: Document, signal: AbortSignal, question: Question): OpenDialog => {
  const title = make(document, 'h2', { id: uniqueId('dialog-title') }, question.title)
  const text = make(document, 'p', { id: uniqueId('dialog-text') }, question.text)
  const accept = make(document, 'button', { type: 'button', class: 'cf-sdk-dialog-accept' }, question.accept)
  const cancel = make(document, 'button', { type: 'button', class: 'cf-sdk-dialog-cancel' }, question.cancel)
  const { link } = question
  const away = link
    ? [make(document, 'p', {}, make(document, 'a', { href: link.url, target: '_blank', rel: 'noopener' }, link.label))]
    : []
  const labels = { 'aria-labelledby': title.id, 'aria-describedby': text.id, class: 'cf-sdk-dialog' }
  const dialog = make(document, 'dialog', labels, title, text, ...away, make(document, 'p', {}, accept, ' ', cancel))
  const { promise, resolve } = settled()
  const close = (answer: BankAnswer) => {
    resolve(answer)
    dialog.close()
    dialog.remove()
  }
  accept.addEventListener('click', () => close('approved'))
  cancel.addEventListener('click', () => close('refused'))
  dialog.addEventListener('cancel', () => close('refused'))
  signal.addEventListener('abort', () => close('unanswered'), { once: true })
  document.body.append(dialog)
  dialog.showModal()
  return { answer: promise, close }
}

const settled = () => {
  let resolve: (answer: BankAnswer) => void = () => undefined
  const promise = new Promise<BankAnswer>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
