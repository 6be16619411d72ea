/** What is done to elements in a way that neither their own controls nor frameworks can get in the way of. */
export interface Natives {
  /** Gives a form an action and a method, or takes them away. */
  aim(form: Element, action: string | null, method: string | null): void
  /** Leaves the page by posting these fields. */
  post(url: string, fields: Readonly<Record<string, string>>): void
  /** Fills in an input. */
  write(input: HTMLInputElement, value: string): void
}

export const natives: Natives = {
  // Taken from the prototype: a control named `action` hides the property of its form.
  aim: (form, action, method) => {
    const { setAttribute, removeAttribute } = Element.prototype
    for (const [name, value] of Object.entries({ action, method })) {
      if (value === null) removeAttribute.call(form, name)
      else setAttribute.call(form, name, value)
    }
  },
  post: (action, fields) => {
    const form = document.createElement('form')
    Object.assign(form, { action, method: 'post', hidden: true, acceptCharset: 'utf-8' })
    for (const name in fields) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: fields[name] }))
    }
    document.body.append(form)
    form.submit()
    form.remove()
  },
  // React listens by a setter of the element itself, and would take the value for its own.
  write: (input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  },
}
