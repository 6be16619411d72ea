import type { LiquidValue } from '../../domain/emails/liquid/render.ts'

/** A mail that is made to cost as much as it can, and what comes of it. */
export interface HostileMail {
  readonly name: string
  readonly html: string
  readonly values?: Readonly<Record<string, LiquidValue>>
  /** `sent`: it is composed; `failed`: it is beyond what a mail may cost. */
  readonly comes: 'sent' | 'failed'
}

const mail = (name: string, html: string, comes: HostileMail['comes'] = 'sent', values = {}): HostileMail => ({
  ...{ name, html, comes, values },
})
const times = (count: number, text: string): string => text.repeat(count)
const page = (body: string): string => `<html><body>${body}</body></html>`
const cell = (attributes: string): string => `<table><tr><td ${attributes}>Hi</td><td>x</td></tr></table>`

const SPANS = [
  ...['1e9', 'Infinity', '-1', '1000', '99999999999999999999', '0', 'NaN', '10000000'].map((n) =>
    mail(`a cell over ${n} columns`, cell(`colspan="${n}"`)),
  ),
  ...['1e9', '65534', '1000000'].map((n) => mail(`a cell over ${n} rows`, cell(`rowspan="${n}"`))),
  mail('a cell over a million columns and rows', cell('colspan=1000000 rowspan=1000000')),
  mail('four cells of a thousand by a thousand', times(4, cell('colspan=1000 rowspan=1000'))),
  mail('a thousand cells over a thousand columns', `<table>${times(1000, '<tr><td colspan=1000>x')}</table>`),
  mail('a column over a billion', '<table><colgroup><col span="1e9"></colgroup><tr><td>x</table>'),
  mail('a list that begins at 1e300', `<ol start="1e300">${times(500, '<li>x')}</ol>`),
]

const DEEP = [
  mail('30,000 nested blocks', times(30_000, '<div>'), 'failed'),
  mail('30,000 nested blocks that end', times(15_000, '<div>') + times(15_000, '</div>'), 'failed'),
  mail('400 nested blocks', times(400, '<div>') + times(400, '</div>')),
  mail('3,000 nested tables', times(3000, '<table><tr><td>'), 'failed'),
  mail('100 nested tables', times(100, '<table><tr><td>x')),
  mail('5,000 nested lists', times(5000, '<ul><li>x'), 'failed'),
  mail('200 nested lists', times(200, '<ul><li>x')),
  mail('5,000 nested quotations', times(5000, '<blockquote>x<br>'), 'failed'),
  mail('400 nested quotations of many lines', times(400, '<blockquote>') + times(20_000, 'x<br>'), 'sent'),
  mail('40,000 links in each other', times(30_000, '<a href=x>'), 'failed'),
  mail('20,000 bold words in each other', times(20_000, '<b>x'), 'failed'),
  mail('40,000 paragraphs without an end', times(40_000, '<p>x'), 'failed'),
  mail('25,000 paragraphs without an end', times(25_000, '<p>x'), 'sent'),
  mail('25,000 items without an end', `<ul>${times(25_000, '<li>x')}`),
  mail('cells behind 490 open elements', `<table>${times(490, '<span>')}${times(25_000, '<td>')}`, 'failed'),
  mail('ends behind 490 open elements', times(490, '<div>') + times(25_000, '</b>')),
  mail('items behind 490 open elements', times(490, '<div>') + times(25_000, '<li>')),
  mail('paragraphs behind 490 open elements', times(490, '<span>') + times(25_000, '<p>')),
  mail('forms behind 490 open elements', `<form>${times(490, '<div>')}${times(25_000, '<form>')}`),
  mail('pictures in pictures', times(5000, '<svg><g>'), 'failed'),
  mail('formatting that never ends', times(8000, '<p><b class=a>x</p>'), 'sent'),
  mail('formatting across blocks', times(8000, '<b><p></b></p>'), 'failed'),
]

const LONG = [
  mail(
    'a wide cell beside 2,000 short rows',
    `<table><tr><td>${times(60_000, 'x')}</td></tr>${times(2000, '<tr><td>x</td></tr>')}</table>`,
  ),
  mail(
    'two columns for the layout',
    `<table><tr><td>${times(600, 'some words ')}</td><td>${times(150, 'x<br>')}</td></tr></table>`,
  ),
  mail('one word of 190,000 letters', times(190_000, 'x')),
  mail('190,000 spaces', `${times(190_000, ' ')}x`),
  mail('45,000 breaks', times(45_000, '<br>'), 'failed'),
  mail('25,000 rules', times(25_000, '<hr>'), 'sent'),
  mail('40,000 rules', times(40_000, '<hr>'), 'failed'),
  mail('190,000 letters with marks', times(38_000, '&amp;')),
  mail('190,000 ampersands', times(190_000, '&')),
  mail('preformatted lines', `<blockquote><pre>${times(90_000, 'x\n')}</pre></blockquote>`),
  mail('a title of 100,000 letters', page(`<p title="${times(100_000, 'x')}">x</p>`)),
  mail('a link of 100,000 letters', `<a href="https://x.example/${times(100_000, 'x')}">x</a>`),
  mail('10,000 links', times(10_000, '<a href=http://a.b>'), 'failed'),
  mail('1,000 links', times(1000, '<a href=http://a.example/>x</a>')),
  mail('50,000 attributes of one tag', `<p ${times(25_000, 'a=b ')}>x</p>`, 'sent'),
  mail('attributes without values', `<p ${times(90_000, 'a ')}>x</p>`, 'sent'),
  mail('a text of more than a mail may have', times(210_000, 'x'), 'failed'),
  mail('pieces that are too much together', times(4, `${times(60_000, 'x')}{{ a }}`), 'failed'),
]

const UNENDED = [
  mail('14,000 ends of a body', `<body>${times(14_000, '</body>')}${times(90_000, 'x')}`),
  mail('33,000 beginnings of a body', times(28_000, '<body '), 'sent'),
  mail('ends of a body with spaces', `<body>${times(20_000, '</body ')}`),
  mail('60,000 signs of less', times(190_000, '<')),
  mail('ends without names', times(60_000, '</>')),
  mail('comments without an end', times(45_000, '<!--')),
  mail('a comment of dashes', `<!--${times(190_000, '-')}`),
  mail('comments for one program', times(7000, '<!--[if mso]>x<![endif]-->')),
  mail('CDATA without an end', times(20_000, '<![CDATA[')),
  mail('declarations', times(60_000, '<!x')),
  mail('styles without an end', times(25_000, '<style>')),
  mail('scripts in comments of scripts', `<script>${times(15_000, '<!--<script>')}`),
  mail('titles without an end', times(25_000, '<title>')),
  mail('ends of styles that are none', `<style>${times(25_000, '</style')}`),
  mail('a value without an end', `<p a="${times(190_000, 'x')}`),
  mail('values without an end', times(30_000, '<p a="')),
  mail('equals signs', `<p ${times(90_000, '= ')}>x</p>`, 'sent'),
  mail('slashes', `<p ${times(190_000, '/')}>x</p>`),
  mail('references without an end', times(60_000, '&#')),
  mail('frames', page(times(5000, '<iframe>')), 'sent'),
]

const BIG = { contact: { custom_attributes: { big: times(5000, 'x'), list: Array(5000).fill({ a: 'b', c: [1, 2] }) } } }
const SPLIT = '{% assign a = contact.custom_attributes.big | split: "" %}'
const over = (body: string): string => `${SPLIT}{% for i in (1..100) %}${body}{% endfor %}`
const filters = [
  'map: "x"',
  'where: "x"',
  'sort',
  'uniq',
  'sum',
  'reverse',
  'sort_natural',
  'compact',
  'join',
  'concat: a',
]

const LIQUID = [
  mail('lists that grow', over('{% assign b = a | map: "x" | compact | concat: a %}'), 'failed', BIG),
  ...filters.map((filter) =>
    mail(`a list filter, 100 times: ${filter}`, over(`{% assign b = a | ${filter} %}`), 'failed', BIG),
  ),
  mail('20 maps', SPLIT + times(20, '{% assign b = a | map: "x" %}'), 'failed', BIG),
  mail(
    'records, 50 times',
    '{% for i in (1..50) %}{% assign b = contact.custom_attributes.list | map: "a" %}{% endfor %}',
    'failed',
    BIG,
  ),
  mail('records in order', times(5, '{% assign b = contact.custom_attributes.list | sort: "a" %}'), 'sent', BIG),
  mail('4,500 passes', '{% for i in (1..4500) %}{{ i }}{% endfor %}', 'sent'),
  mail(
    'a row for each letter',
    '{% for x in contact.custom_attributes.list %}<tr><td>{{ x.a }}</td></tr>{% endfor %}',
    'failed',
    BIG,
  ),
  mail(
    'passes in passes',
    '{% for i in (1..100) %}{% for j in (1..100) %}{% for k in (1..100) %}x{% endfor %}{% endfor %}{% endfor %}',
    'failed',
  ),
  mail(
    'a text that doubles',
    '{% assign a = "xx" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
    'failed',
  ),
  mail('blocks that a loop opens', '{% for i in (1..2000) %}<div>{% endfor %}', 'failed'),
  mail(
    'a loop over letters that replaces',
    over('{{ contact.custom_attributes.big | replace: "x", "yy" }}'),
    'failed',
    BIG,
  ),
]

/** Mails that once stopped a service, and others of their kinds. */
export const HOSTILE_MAILS: readonly HostileMail[] = [...SPANS, ...DEEP, ...LONG, ...UNENDED, ...LIQUID]
