import {
  isElement,
  type MarkupElement,
  type MarkupNode,
  someElement,
  textIn,
} from '../../../domain/pages/markup/tree.ts'

/** Place of the opt-in form of a page: from one child of an element to another. No element: among the sections of the page. */
export interface FormPlan {
  readonly parent: MarkupElement | undefined
  readonly first: MarkupNode | undefined
  readonly last: MarkupNode | undefined
}

export const NO_FORM: FormPlan = { parent: undefined, first: undefined, last: undefined }

const isInput = ({ name }: MarkupElement): boolean => name === 'input'
const isField = (element: MarkupElement): boolean =>
  isInput(element) || (element.name === 'button' && !element.attributes.has('href'))

/** Returns whether an element brings a form of its own. HTML has no form in a form. */
const isForm = (element: MarkupElement): boolean =>
  element.name === 'checkout' || (element.name === 'customhtml' && /<form[\s>]/i.test(textIn(element)))

const among = (nodes: readonly MarkupNode[], test: (element: MarkupElement) => boolean): number[] =>
  nodes.flatMap((node, index) => (isElement(node) && someElement(node, test) ? index : []))

/**
 * Finds the place of the opt-in form: the smallest part of the page that holds all inputs and all buttons that submit them. Where another form
 * stands among them, it ends before that.
 */
export const planForm = (elements: readonly MarkupElement[]): FormPlan => {
  if (!elements.some((element) => someElement(element, isInput))) return NO_FORM
  let parent: MarkupElement | undefined
  let nodes: readonly MarkupNode[] = elements
  for (;;) {
    const holding = among(nodes, isField)
    const only = holding.length === 1 ? nodes[holding[0]!] : undefined
    if (only !== undefined && isElement(only) && !isField(only)) {
      parent = only
      nodes = only.children
      continue
    }
    const [barrier] = among(nodes, isForm).filter((index) => index > holding[0]!)
    const within = holding.filter((index) => index < (barrier ?? nodes.length))
    const first = nodes[within[0]!]
    if (first === undefined || (isElement(first) && someElement(first, isForm))) return NO_FORM
    return { parent, first, last: nodes[within.at(-1)!] }
  }
}
