import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'
import type { Around, Renderer, Rendering } from './context.ts'
import { attributes, styles } from './escape.ts'
import { background, color, fontSize, oneOf, px, word } from './values.ts'

const SIZES = { xl: '48px', l: '40px', m: '32px', s: '24px' }
/** Sizes of the same names on narrow screens, where no others are given. */
const NARROW = { xl: '36px', l: '32px', m: '27px', s: '22px' }
const size = oneOf(SIZES)
const narrow = oneOf(NARROW)
const ALIGN = word('left center right')
const WEIGHT = oneOf({
  ...{ thin: '100', light: '300', normal: '400', medium: '500' },
  ...{ semibold: '600', bold: '700', extrabold: '800', black: '900' },
})
const TRANSFORM = word('uppercase lowercase capitalize none')
const LEADING = oneOf({ tight: '1.1', snug: '1.25', normal: '1.5', relaxed: '1.65', loose: '2' })
const LETTERS = oneOf({ tight: '-.025em', normal: '0', wide: '.025em', wider: '.05em', widest: '.1em' })

const textStyle = (element: MarkupElement, page: Rendering, usual: keyof typeof SIZES | undefined) => {
  const given = fontSize(element, 'fontsize')
  const preset = size(element, 'size') ?? (usual && SIZES[usual])
  const mobile = fontSize(element, 'fontsize-mobile') ?? size(element, 'size-mobile')
  return styles({
    '--fs': given ?? preset,
    '--fsm': mobile ?? (given ? undefined : (narrow(element, 'size') ?? (usual && NARROW[usual]))),
    '--ta': ALIGN(element, 'align'),
    '--tam': ALIGN(element, 'align-mobile'),
    '--lh': LEADING(element, 'leading'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
    color: color(element, 'color'),
    'font-family': page.fonts.stackOf(element, 'font'),
    'font-weight': WEIGHT(element, 'weight'),
    'text-transform': TRANSFORM(element, 'transform'),
    'letter-spacing': LETTERS(element, 'spacing'),
  })
}

const block = (
  tag: string,
  name: string,
  element: MarkupElement,
  page: Rendering,
  usual?: keyof typeof SIZES,
): Around => {
  const id = element.attributes.get('id') || undefined
  const style = textStyle(element, page, usual)
  return { begin: `<${tag}${attributes({ class: name, id, style })}>`, end: `</${tag}>` }
}

/** The first headline is the heading of the page, and the others are those of its parts. */
export const headline: Renderer = (element, page) => {
  const tag = page.hasHeading ? 'h2' : 'h1'
  page.hasHeading = true
  return block(tag, 'text', element, page, tag === 'h1' ? 'l' : 'm')
}

/** A subheadline before the first headline introduces it, and is no heading of its own. */
export const subheadline: Renderer = (element, page) => block(page.hasHeading ? 'h2' : 'p', 'text', element, page, 's')

export const paragraph: Renderer = (element, page) => block('p', 'text body', element, page)

export const bold: Renderer = () => ({ begin: '<b>', end: '</b>' })
export const italic: Renderer = () => ({ begin: '<i>', end: '</i>' })
export const lineBreak: Renderer = () => '<br>'
export const span: Renderer = (element) => {
  const style = styles({ color: color(element, 'color'), background: color(element, 'bg') })
  return { begin: `<span${attributes({ style })}>`, end: '</span>' }
}

export const link: Renderer = (element) => {
  const { attributes: values } = element
  const href = values.get('href')
  return { begin: `<a${attributes({ href, id: values.get('id') || undefined })}>`, end: '</a>' }
}

const ICON = oneOf({
  check: '"✓"',
  star: '"★"',
  heart: '"♥"',
  arrow: '"→"',
  plus: '"+"',
  bolt: '"⚡"',
  thumbsup: '"👍"',
  circle: '"●"',
})
const LIST_SIZE = oneOf({ s: '16px', m: '18px', l: '22px' })

const LIST_ITEM: Around = { begin: '<li>', end: '</li>' }

export const list: Renderer = (element, page) => {
  const style = styles({
    '--i': ICON(element, 'icon'),
    '--ic': color(element, 'iconcolor'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
    'font-size': LIST_SIZE(element, 'size'),
    color: color(element, 'color'),
    'font-family': page.fonts.stackOf(element, 'font'),
  })
  const id = element.attributes.get('id') || undefined
  const begin = `<ul${attributes({ class: 'list mt', id, style, role: 'list' })}>`
  return { begin, end: '</ul>', item: () => LIST_ITEM }
}

const folded = ({ attributes: values }: MarkupElement): Around => ({
  begin: `<details><summary>${escapeHtml(values.get('title') ?? '')}</summary><div>`,
  end: '</div></details>',
})

export const accordion: Renderer = (element) => {
  const style = styles({
    background: background(element, 'bg'),
    color: color(element, 'textcolor'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
  })
  const id = element.attributes.get('id') || undefined
  return { begin: `<div${attributes({ class: 'accordion mt', id, style })}>`, end: '</div>', item: folded }
}
