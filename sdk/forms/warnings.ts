import type { Host, Init } from '../checkout-port.ts'
import { allMarked, isAllowed, nameOf } from './registry.ts'

/** Controls in a form that are not sent; those within mounts are the SDK's own. */
const UNMARKED = [
  ':is(input,select,textarea):not([data-cf-element],[type=submit],[type=button],[type=reset],[type=image])',
  ':not(div[data-cf-element] *)',
].join('')

/** Warns the author of the page of each element that is ignored, once. */
export const warner = ({ document, console }: Pick<Host, 'document' | 'console'>) => {
  const said = new WeakSet<object>()
  const say = (about: object, text: string) => {
    if (said.has(about)) return
    said.add(about)
    console.warn(text, about)
  }
  return (init: Init): void => {
    const forms = new Set<HTMLFormElement>()
    const names = new Set<string>()
    for (const element of allMarked(document)) {
      const name = nameOf(element)
      const form = element.closest('form')
      const mayBeAlone = name.startsWith('oto-') || (init.offer && name === 'shipping')
      if (!isAllowed(element))
        say(element, `data-cf-element="${name}" means nothing on <${element.localName}>: ignored`)
      else if (form || mayBeAlone) names.add(name)
      else say(element, `data-cf-element="${name}" is in no form: ignored`)
      if (form && isAllowed(element)) forms.add(form)
    }
    for (const form of forms) {
      for (const control of form.querySelectorAll(UNMARKED))
        say(control, 'A control without data-cf-element is not sent')
    }
    const hasFallback = names.has('payment-method') && names.has('pay')
    if (init.offer && names.has('oto-accept') && !names.has('oto-decline') && !hasFallback) {
      say(init, 'A page of an offer needs an oto-decline, or a form with payment-method and pay')
    }
  }
}
