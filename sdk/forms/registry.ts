/** The attribute by which authors mark what belongs to the SDK. */
const MARK = 'data-cf-element'

/** Fields of a submission, and everything else that may be marked: the tag, the type if it has one, and the name. */
const FIELD = /^input \S+ (email|phone|((first|last)-)?name)$|^(input|select|textarea) \S+ custom-attribute:./
const OTHER =
  /^div {2}(payment-method|shipping|billing)$|^button \S+ (pay|oto-(accept|decline))$|^input (submit pay|checkbox billing-same-as-shipping)$/

export const nameOf = (element: Element): string => element.getAttribute(MARK) ?? ''

const keyOf = (element: Element): string =>
  [element.localName, (element as HTMLInputElement).type, nameOf(element)].join(' ')

/** Whether the element's value is part of a submission. */
const isField = (element: Element): boolean => FIELD.test(keyOf(element))

/** Whether an element with this tag may have its name. */
export const isAllowed = (element: Element): boolean => isField(element) || OTHER.test(keyOf(element))

/** All elements in the document that are marked, in its order, the wrong ones too. */
export const allMarked = (document: Document): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[${MARK}]`),
]

/** The elements in a form that are marked as they should be. The form need not be in the document any more. */
export const markedIn = (form: Element): readonly HTMLElement[] =>
  [...form.querySelectorAll<HTMLElement>(`[${MARK}]`)].filter(isAllowed)

/** What of an element is entered: nothing, or a value, or several of a list. */
const valuesOf = (element: Element): readonly string[] => {
  const control = element as HTMLInputElement & HTMLSelectElement
  if (control.matches(':disabled,:is([type=checkbox],[type=radio]):not(:checked)')) return []
  return [...(control.selectedOptions ?? [control])].map(({ value }) => value)
}

/** What these elements of a form submit: names of fields with what was entered. */
export const entriesOf = (elements: readonly Element[]): readonly (readonly [string, string])[] =>
  elements.filter(isField).flatMap((field) => valuesOf(field).map((value) => [nameOf(field), value] as const))
