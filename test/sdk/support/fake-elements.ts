/** An element of nothing but what the SDK asks for. */
export interface FakeElement {
  readonly localName: string
  readonly type: string
  value: string
  readonly form: Element | null
}

interface Parts {
  readonly mark?: string
  readonly type?: string
  readonly value?: string
  readonly form?: Element | null
  readonly visible?: boolean
  /** Whether the element is disabled, or a box that is not checked. */
  readonly isLeftOut?: boolean
  readonly options?: readonly string[]
}

export const fakeElement = (localName: string, parts: Parts = {}): HTMLInputElement => {
  const { mark, type = 'text', value = '', form = null, visible = false, isLeftOut = false, options } = parts
  const element = {
    localName,
    type: localName === 'div' ? undefined : type,
    value,
    getAttribute: (name: string) => (name === 'data-cf-element' ? (mark ?? null) : null),
    hasAttribute: (name: string) => name === 'data-cf-visible' && visible,
    closest: () => form,
    matches: () => isLeftOut,
    selectedOptions: options?.map((value) => ({ value })),
  }
  return element as unknown as HTMLInputElement
}

export const fakeForm = (elements: readonly Element[] = []): HTMLFormElement =>
  ({ localName: 'form', querySelectorAll: () => elements, getAttribute: () => null }) as unknown as HTMLFormElement

/** A document of these elements. */
export const fakeDocument = (elements: readonly Element[], activeElement: Element | null = null): Document =>
  ({ querySelectorAll: () => elements, activeElement }) as unknown as Document
