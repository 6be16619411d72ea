import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { pieceByPiece } from '../../../domain/kernel/values/piece-by-piece.ts'
import type { Steps } from '../../../domain/kernel/values/turns.ts'
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
import type { Around, Renderer, Rendering } from './context.ts'
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

/** Element whose nodes are being rendered. */
interface Open extends Pick<Around, 'end' | 'item'> {
  readonly element: MarkupElement | undefined
  readonly nodes: Iterator<MarkupNode>
}

/** Renders the nodes of a page in their order, with the opt-in form at its place. Each is a step. */
export const renderNodes = function* (page: Rendering, nodes: readonly MarkupNode[]): Steps<string> {
  const { plan } = page
  const out: string[] = []
  const open: Open[] = [{ element: undefined, nodes: nodes.values(), end: '' }]
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    yield
    const { element: parent, item } = inner
    const { value: node, done } = inner.nodes.next()
    if (done) {
      out.push(inner.end)
      open.pop()
    } else if (!isElement(node)) {
      if (!HOLDS_ELEMENTS.has(parent?.name ?? '')) out.push(yield* pieceByPiece(node, escapeHtml))
    } else {
      const isIn = plan.parent === parent && !item
      if (isIn && plan.first === node) out.push(FORM_BEGIN)
      const form = isIn && plan.last === node ? '</form>' : ''
      const rendered = item ? item(node) : (RENDERERS.get(node.name)?.(node, page) ?? '')
      if (typeof rendered === 'string') out.push(rendered, form)
      else {
        out.push(rendered.begin)
        open.push({ ...rendered, element: node, nodes: node.children.values(), end: rendered.end + form })
      }
    }
  }
  return out.join('')
}
