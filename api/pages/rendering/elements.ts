import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { isElement, type MarkupElement, type MarkupNode } from '../../../domain/pages/markup/tree.ts'
import {
  checkout,
  confirmation,
  orderSummary,
  productCarousel,
  productDescription,
  productImage,
  productLink,
  productName,
  productPrice,
} from './commerce.ts'
import type { Renderer, Rendering } from './context.ts'
import { countdown } from './countdown.ts'
import { button, input } from './form.ts'
import { customHtml, divider, image, video } from './media.ts'
import { column, flex, row, section } from './structure.ts'
import { accordion, bold, headline, italic, lineBreak, link, list, paragraph, span, subheadline } from './text.ts'

/** Elements that hold nothing but elements: text between them is the layout of the author. */
const HOLDS_ELEMENTS: ReadonlySet<string> = new Set(['', 'section', 'row', 'column', 'flex', 'list', 'accordion'])

/** Renderers by element. Saved sections are not among them: no resource has any, so nothing can be shown in their place. */
const RENDERERS: ReadonlyMap<string, Renderer> = new Map([
  ['section', section],
  ['row', row],
  ['column', column],
  ['flex', flex],
  ['headline', headline],
  ['subheadline', subheadline],
  ['paragraph', paragraph],
  ['b', bold],
  ['i', italic],
  ['span', span],
  ['br', lineBreak],
  ['image', image],
  ['video', video],
  ['divider', divider],
  ['button', button],
  ['input', input],
  ['link', link],
  ['list', list],
  ['accordion', accordion],
  ['countdown', countdown],
  ['customhtml', customHtml],
  ['checkout', checkout],
  ['order-summary', orderSummary],
  ['confirmation', confirmation],
  ['product-carousel', productCarousel],
  ['product-name', productName],
  ['product-description', productDescription],
  ['product-price', productPrice],
  ['product-image', productImage],
  ['product-link', productLink],
])

const FORM_BEGIN = '<form class="form">'

/** Renders what an element holds, with the opt-in form at its place. */
export const renderChildren = (
  page: Rendering,
  nodes: readonly MarkupNode[],
  parent: MarkupElement | undefined,
): string => {
  const { plan } = page
  const isText = !HOLDS_ELEMENTS.has(parent?.name ?? '')
  return nodes
    .map((node) => {
      if (!isElement(node)) return isText ? escapeHtml(node) : ''
      const begin = plan.first === node && plan.parent === parent ? FORM_BEGIN : ''
      const end = plan.last === node && plan.parent === parent ? '</form>' : ''
      return begin + (RENDERERS.get(node.name)?.(node, page) ?? '') + end
    })
    .join('')
}
