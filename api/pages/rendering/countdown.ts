import { Temporal } from 'temporal-polyfill'
import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'
import type { Renderer } from './context.ts'
import { attributes, styles } from './escape.ts'
import { background, color, oneOf, px, radius } from './values.ts'

const DEFAULT_SECONDS = 60 * 60
const WEIGHT = oneOf({ light: '300', normal: '400', medium: '500', semibold: '600', bold: '700', black: '900' })

/**
 * Returns the instant at which a countdown ends. A time that the clock skips is as much later as the clock is put forward, and of two times that are
 * the same the earlier one counts. `undefined` where date, time or zone do not exist.
 */
export const endOf = ({ attributes: values }: MarkupElement, zone: string): Temporal.ZonedDateTime | undefined => {
  try {
    const time = Temporal.PlainTime.from(values.get('time') || '00:00:00')
    const date = Temporal.PlainDate.from(values.get('date') ?? '')
    return date.toPlainDateTime(time).toZonedDateTime(values.get('timezone') || zone, { disambiguation: 'compatible' })
  } catch {
    return undefined
  }
}

/** Seconds for which a countdown runs that begins with the first visit: its `time`. */
const secondsOf = ({ attributes: values }: MarkupElement): number => {
  const [, hours, minutes, seconds = '0'] = /^(\d{1,4}):(\d{2})(?::(\d{2}))?$/.exec(values.get('time') ?? '') ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return hours !== undefined && total > 0 ? total : DEFAULT_SECONDS
}

const endText = (end: Temporal.ZonedDateTime): string =>
  `${end.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' })} (${end.timeZoneId})`

const looks = (element: MarkupElement, page: Parameters<Renderer>[1]) =>
  styles({
    background: background(element, 'bg'),
    '--p': px(element, 'padding'),
    '--pl': px(element, 'paddinglr'),
    'border-radius': radius(element, 'radius'),
    '--nc': color(element, 'numbercolor'),
    '--nf': page.fonts.stackOf(element, 'numberfont'),
    '--ns': px(element, 'numbersize'),
    '--nw': WEIGHT(element, 'numberweight'),
    '--lc': color(element, 'labelcolor'),
    '--lf': page.fonts.stackOf(element, 'labelfont'),
    '--ls': px(element, 'labelsize'),
    '--lw': WEIGHT(element, 'labelweight'),
    '--mt': px(element, 'margintop'),
    '--mtm': px(element, 'margintop-mobile'),
  })

/** Without a script a countdown says when it ends. With it, it counts by the time of the server. */
export const countdown: Renderer = (element, page) => {
  const isEvergreen = element.attributes.get('type') === 'evergreen'
  const end = isEvergreen ? undefined : endOf(element, page.content.zone)
  if (!isEvergreen && !end) return ''
  page.isAnimated = true
  const id = element.attributes.get('id') || undefined
  const instant = end?.toInstant().toString()
  const data = isEvergreen ? { 'data-mr-seconds': secondsOf(element) } : { 'data-mr-until': instant }
  const text = end ? `<p>Ends <time${attributes({ datetime: instant })}>${escapeHtml(endText(end))}</time></p>` : ''
  return `<div${attributes({ class: 'countdown mt', id, style: looks(element, page), role: 'timer', ...data })}>${text}</div>`
}
