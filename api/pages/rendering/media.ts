import { type MarkupElement, textIn } from '../../../domain/pages/markup/tree.ts'
import type { Renderer } from './context.ts'
import { attributes, styles } from './escape.ts'
import { playerOf } from './player.ts'
import { color, length, px, radius, word } from './values.ts'

const ALIGN = word('left center right')

const placed = (element: MarkupElement, inner: string): string => {
  const style = styles({
    '--ta': ALIGN(element, 'align'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
  })
  return `<span${attributes({ class: 'align mt', style })}>${inner}</span>`
}

/** An image that a model would have to draw, or that could not be fetched from another host, is a box with its description. */
export const image: Renderer = (element, page) => {
  const { attributes: values } = element
  const src = page.pictureAt(values.get('src'))
  const style = styles({
    width: length(element, 'width'),
    height: length(element, 'height'),
    'border-radius': radius(element, 'radius'),
  })
  const id = values.get('id') || undefined
  if (!src) {
    const text = values.get('alt') || values.get('prompt') || ''
    if (text === '') return ''
    return placed(
      element,
      `<span${attributes({ class: 'placeholder', role: 'img', 'aria-label': text, style, id })}></span>`,
    )
  }
  const loading = page.hasImage ? 'lazy' : undefined
  page.hasImage = true
  return placed(
    element,
    `<img${attributes({ src, alt: values.get('alt') ?? '', loading, decoding: 'async', style, id })}>`,
  )
}

/** A video of a provider is its player where the operator allows that, else a link to it. Any other video is played by the browser. */
export const video: Renderer = (element, { settings }) => {
  const src = element.attributes.get('src')
  if (!src) return ''
  const id = element.attributes.get('id') || undefined
  const player = playerOf(src)
  if (!player) return `<video${attributes({ class: 'video mt', src, controls: true, preload: 'none', id })}></video>`
  if (!settings.thirdParty.has('videos')) {
    const link = { class: 'poster mt', href: src, id, target: '_blank', rel: 'noopener noreferrer' }
    return `<a${attributes(link)}>▶ Watch the video on ${player.provider}</a>`
  }
  const frame = { class: 'video mt', src: player.src, title: `Video on ${player.provider}`, loading: 'lazy', id }
  return `<iframe${attributes(frame)} allow="fullscreen; picture-in-picture" allowfullscreen></iframe>`
}

export const divider: Renderer = (element) => {
  const style = styles({
    '--dc': color(element, 'color'),
    '--p': px(element, 'padding'),
    '--wd': length(element, 'width'),
    'margin-left': element.attributes.get('align') === 'left' ? '0' : undefined,
    'margin-right': element.attributes.get('align') === 'right' ? '0' : undefined,
  })
  return `<hr${attributes({ class: 'divider', id: element.attributes.get('id') || undefined, style })}>`
}

/** Code of the author, as it is. */
export const customHtml: Renderer = (element) => textIn(element)
