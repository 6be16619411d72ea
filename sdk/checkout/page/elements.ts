/** Makes an element. An attribute that is `false` is left out, one that is `true` has no value. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  document: Document,
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) element.setAttribute(name, value === true ? '' : value)
  element.append(...children)
  return element
}

const load = Math.random().toString(36).slice(2, 8)
let made = 0

/** Returns an id that no other element of the page has, also when the page loads the SDK twice. */
export const uniqueId = (name: string): string => {
  made += 1
  return `cf-sdk-${name}-${load}${made}`
}

/** Sets the attribute only if that changes anything, since pages observe their document. */
export const setAttribute = (element: Element, name: string, value: string | undefined): void => {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Puts a text into a live region, which screen readers read when it changes. */
export const say = (region: Element, text: string): void => {
  if (region.textContent !== text) region.textContent = text
}
