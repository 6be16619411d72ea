import { type FilterImplOptions, type Liquid, toValueSync } from 'liquidjs'
import { escapeHtml, escapeOnce } from '../../kernel/values/html.ts'
import { ARITHMETIC, summing } from './arithmetic.ts'
import { replacing, size, slicing, split, truncate } from './characters.ts'
import { wholeIn } from './numbers.ts'
import { asText, budgetOf, type Handler, renderingOf } from './rendering.ts'

/** The filters of Liquid. The library has more, some of which evaluate expressions that come out of data. */
const STANDARD = [
  ...[
    'abs',
    'append',
    'at_least',
    'at_most',
    'base64_decode',
    'base64_encode',
    'capitalize',
    'ceil',
    'compact',
    'concat',
  ],
  ...['date', 'default', 'divided_by', 'downcase', 'escape', 'escape_once', 'first', 'floor', 'join', 'last', 'lstrip'],
  ...['map', 'minus', 'modulo', 'newline_to_br', 'plus', 'prepend', 'raw', 'remove', 'remove_first', 'remove_last'],
  ...[
    'replace',
    'replace_first',
    'replace_last',
    'reverse',
    'round',
    'rstrip',
    'size',
    'slice',
    'sort',
    'sort_natural',
  ],
  ...['split', 'strip', 'strip_html', 'strip_newlines', 'sum', 'times', 'truncate', 'truncatewords', 'uniq', 'upcase'],
  ...['url_decode', 'url_encode', 'where'],
]

/** An instant without a zone, which means the clock that it was written by. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/

/** Filters that look into each entry of a list, with how many looks one is worth: `where` compares what it finds. */
const LOOKING: Readonly<Record<string, number>> = {
  ...{ compact: 1, map: 1, sort: 1, sort_natural: 1, sum: 1, uniq: 1 },
  where: 3,
}

/** Handler that takes the work of looking into the entries of its value from the budget. */
const looking = (handler: Handler, times: number): Handler =>
  function (value, ...args) {
    budgetOf(this.context).lookInto(value, times)
    return handler.call(this, value, ...args)
  }

/** Handler that takes the work of its value, its arguments and its result from the budget. */
const counted = (handler: Handler): Handler =>
  function (value, ...args) {
    const budget = budgetOf(this.context)
    budget.check()
    for (const one of [value, ...args]) budget.handle(one)
    const result: unknown = toValueSync(handler.call(this, value, ...args))
    budget.handle(result)
    return result
  }

/** Abbreviations of formats, which the library lacks. */
const FORMATS: Readonly<Record<string, string>> = {
  '%D': '%m/%d/%y',
  '%F': '%Y-%m-%d',
  '%R': '%H:%M',
  '%T': '%H:%M:%S',
  '%h': '%b',
  '%r': '%I:%M:%S %p',
}

/** `date` by the clock of the rendering, in its zone. */
const dated = (handler: Handler): Handler =>
  function (value, wanted) {
    const { now, timeZone } = renderingOf(this.context)
    const format = typeof wanted === 'string' ? wanted.replace(/%%|%[DFRThr]/g, (one) => FORMATS[one] ?? one) : wanted
    if (value === 'now' || value === 'today') return handler.call(this, new Date(now).toISOString(), format, timeZone)
    if (typeof value !== 'string' || !WITHOUT_ZONE.test(value)) return handler.call(this, value, format, timeZone)
    return handler.call(this, `${value.replace(' ', 'T')}${value.includes(':') ? 'Z' : 'T00:00Z'}`, format, 'UTC')
  }

const urlEncode: Handler = (value) =>
  encodeURIComponent(asText(value))
    .replace(/%20/g, '+')
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Breaks of lines as HTML. Where values are escaped, it escapes what it is given, since its result is HTML. */
const newlineToBr =
  (escapes: boolean): Handler =>
  (value) =>
    (escapes ? escapeOnce(asText(value)) : asText(value)).replace(/\r?\n/g, '<br />\n')

const words: Handler = (value, count = 15, end = '...') => {
  const most = Math.max(1, wholeIn(count))
  const all = asText(value).trim().split(/\s+/)
  return all.length <= most ? asText(value) : all.slice(0, most).join(' ') + asText(end)
}

/** Filter of lists that gives nothing of a text. */
const ofLists = (handler: Handler): Handler =>
  function (value) {
    return typeof value === 'string' ? '' : handler.call(this, value)
  }

const handlerOf = (filter: FilterImplOptions): Handler => (typeof filter === 'function' ? filter : filter.handler)

/** Leaves an engine the filters of Liquid, with the results that Liquid has in its first language, within the budget. */
export const setFilters = (engine: Liquid, escapes: boolean): void => {
  const filters = Object.entries(engine.filters)
  const { map } = engine.filters
  const own: Readonly<Record<string, Handler>> = {
    ...ARITHMETIC,
    ...(map && { sum: summing(handlerOf(map)) }),
    ...{ size, split, truncate },
    url_encode: urlEncode,
    escape: (value) => escapeHtml(asText(value)),
    escape_once: (value) => escapeOnce(asText(value)),
    newline_to_br: newlineToBr(escapes),
    truncatewords: words,
  }
  const changed: Readonly<Record<string, (handler: Handler) => Handler>> = {
    date: dated,
    first: ofLists,
    last: ofLists,
    replace: replacing,
    slice: slicing,
  }
  for (const [name, filter] of filters) {
    delete engine.filters[name]
    if (!STANDARD.includes(name)) continue
    const handler = own[name] ?? handlerOf(filter)
    const looks = LOOKING[name]
    const raw = ['raw', 'escape', 'escape_once', 'newline_to_br'].includes(name)
    engine.registerFilter(name, {
      handler: counted(looks ? looking(handler, looks) : (changed[name]?.(handler) ?? handler)),
      raw,
    })
  }
}

/** Escapes what an output writes, unless its last filter made HTML. */
export const outputEscape: Handler = function (value) {
  budgetOf(this.context).handle(value)
  return escapeHtml(asText(value))
}
