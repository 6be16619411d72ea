const NOT_SENT = 'The form could not be sent. Please try again in a moment.'

const shown = new WeakMap<Element, HTMLElement>()

/** Tells the visitor below a form that it was not sent, until they send it again or the page ends. */
export const notSent = (form: Element, signal: AbortSignal): void => {
  shown.get(form)?.remove()
  const notice = form.ownerDocument.createElement('p')
  notice.className = 'cf-sdk-form-error'
  notice.setAttribute('role', 'alert')
  form.append(notice)
  // A live region is read when it changes, not when it comes.
  notice.textContent = NOT_SENT
  shown.set(form, notice)
  const remove = () => notice.remove()
  form.addEventListener('submit', remove, { once: true })
  signal.addEventListener('abort', remove, { once: true })
}
