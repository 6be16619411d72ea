import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'
import type { Renderer } from './context.ts'
import { attributes, cssUrl, styles } from './escape.ts'
import { background, border, length, px, radius, shadow, share, spacing, word } from './values.ts'

const box = (element: MarkupElement) => ({
  'box-shadow': shadow(element, 'shadow'),
  'border-radius': radius(element, 'radius'),
  border: border(element, 'border'),
  opacity: share(element, 'opacity'),
})

const idOf = ({ attributes: values }: MarkupElement): string | undefined => values.get('id') || undefined

export const section: Renderer = (element, page) => {
  const image = page.pictureAt(element.attributes.get('bgimage'))
  const padding = spacing(element, 'padding')
  const style = styles({
    '--p': padding,
    // A padding that is only given for wide screens holds for narrow ones too.
    '--p0': padding,
    '--pm': spacing(element, 'padding-mobile'),
    background: background(element, 'bg'),
    'background-image': image ? cssUrl(image) : undefined,
    ...(image && { 'background-size': 'cover', 'background-position': 'center' }),
    ...box(element),
  })
  return { begin: `<section${attributes({ class: 'section', id: idOf(element), style })}>`, end: '</section>' }
}

const COLUMNS = word('1 2 3 4 5 6 7 8 9 10 11 12')

export const row: Renderer = (element) => {
  const cols = COLUMNS(element, 'cols') ?? '1'
  const style = styles({
    '--c': cols === '1' ? undefined : cols,
    '--p': spacing(element, 'padding'),
    '--pm': spacing(element, 'padding-mobile'),
  })
  const name = cols === '1' ? 'row one' : 'row'
  return { begin: `<div${attributes({ class: name, id: idOf(element), style })}>`, end: '</div>' }
}

export const column: Renderer = (element) => {
  const bg = background(element, 'bg')
  const style = styles({
    background: bg,
    '--mh': px(element, 'marginhorizontal'),
    '--mhm': px(element, 'marginhorizontal-mobile'),
    ...box(element),
  })
  const isBoxed = bg !== undefined || element.attributes.has('border') || element.attributes.has('shadow')
  const name = isBoxed ? 'column boxed' : 'column'
  return { begin: `<div${attributes({ class: name, id: idOf(element), style })}>`, end: '</div>' }
}

const DIRECTION = word('row column')
const JUSTIFY = word('flex-start center flex-end space-around space-between space-evenly')
const ALIGN = word('flex-start center flex-end baseline stretch')
const WRAP = word('nowrap wrap wrap-reverse')

export const flex: Renderer = (element) => {
  const style = styles({
    '--d': DIRECTION(element, 'direction'),
    '--dm': DIRECTION(element, 'direction-mobile'),
    '--j': JUSTIFY(element, 'justify'),
    '--jm': JUSTIFY(element, 'justify-mobile'),
    '--a': ALIGN(element, 'align'),
    '--am': ALIGN(element, 'align-mobile'),
    '--w': WRAP(element, 'wrap'),
    '--wm': WRAP(element, 'wrap-mobile'),
    '--g': px(element, 'gap'),
    '--p': spacing(element, 'padding'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
    width: length(element, 'width'),
    height: length(element, 'height'),
  })
  return { begin: `<div${attributes({ class: 'flex mt', id: idOf(element), style })}>`, end: '</div>' }
}
