import { make, say, setAttribute, uniqueId } from '../page/elements.ts'
import type { FieldPlan } from './fields.ts'

type Input = HTMLInputElement | HTMLSelectElement

/** A choice of a list: its value and what is shown. */
export type Choice = readonly [value: string, label: string]

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .trim()
    .toLowerCase()

/** Finds the choice that somebody, or the browser for them, gave by its value or its name. */
const chosen = (choices: readonly Choice[], text: string): string =>
  choices.find(([value, label]) => plain(value) === plain(text) || plain(label) === plain(text))?.[0] ?? ''

/**
 * A labelled field of an address with its error. It is a list where there are choices and a text where there are none; what was entered is
 * kept over the change.
 */
export const createControl = (
  document: Document,
  kind: string,
  { name, label, autocomplete, hook, isRequired }: FieldPlan,
) => {
  const id = uniqueId(`${kind}-${hook}`)
  const caption = make(document, 'label', { for: id, class: 'cf-sdk-address-label' }, label)
  const error = make(document, 'p', {
    id: uniqueId(`${kind}-${hook}-error`),
    class: 'cf-sdk-address-error',
    hidden: true,
  })
  const build = (choices: readonly Choice[]): Input => {
    const attributes = { id, autocomplete: `${kind} ${autocomplete}`, required: isRequired }
    if (choices.length === 0)
      return make(document, 'input', { ...attributes, type: 'text', class: 'cf-sdk-address-input', maxlength: '255' })
    const options = choices.map(([value, text]) => make(document, 'option', { value }, text))
    const none = make(document, 'option', { value: '' }, '')
    return make(document, 'select', { ...attributes, class: 'cf-sdk-address-select' }, none, ...options)
  }
  let choices: readonly Choice[] = []
  let input = build(choices)
  const element = make(
    document,
    'div',
    { class: `cf-sdk-address-field cf-sdk-address-field--${hook}` },
    caption,
    input,
    error,
  )
  const show = (message: string | undefined) => {
    error.hidden = message === undefined
    say(error, message ?? '')
    const errorId = message === undefined ? undefined : error.id
    setAttribute(input, 'aria-invalid', errorId && 'true')
    setAttribute(input, 'aria-describedby', errorId)
    setAttribute(input, 'aria-errormessage', errorId)
  }
  // Says beside the field, and to a screen reader, what the browser says in a bubble that goes away.
  element.addEventListener('invalid', () => show(input.validationMessage), true)
  return {
    name,
    element,
    show,
    value: () => (element.hidden ? '' : input.value.trim()),
    set(value: string) {
      input.value = choices.length > 0 ? chosen(choices, value) : value
    },
    isValid: () => element.hidden || input.checkValidity(),
    focus: () => input.focus(),
    relabel: (text: string) => say(caption, text),
    require(isNeeded: boolean) {
      input.required = isNeeded
    },
    hide(isHidden: boolean) {
      element.hidden = isHidden
      input.disabled = isHidden
    },
    choose(next: readonly Choice[]) {
      if (next === choices) return
      const { value, required } = input
      choices = next
      const replacement = build(next)
      input.replaceWith(replacement)
      input = replacement
      input.required = required
      input.value = next.length > 0 ? chosen(next, value) : value
    },
  }
}

export type Control = ReturnType<typeof createControl>
