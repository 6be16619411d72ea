import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { checkLiquid } from '../../../domain/emails/liquid/parse.ts'
import { LiquidFailed, type LiquidValue, mailLiquid } from '../../../domain/emails/liquid/render.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const FIXTURES = path.resolve('test/fixtures/liquid')

const read = (file: string) => JSON.parse(readFileSync(path.join(FIXTURES, file), 'utf8'))

const NOON = Date.UTC(2026, 10, 26, 12)

const liquid = (values: { readonly [name: string]: LiquidValue } = {}, timeZone = 'UTC') =>
  mailLiquid({ values, now: NOON, timeZone })

/** Values with which a person might attack the mail. */
const HOSTILE = { contact: { first_name: '<a href="https://evil.example">Win</a>', note: 'one & two\n<three>' } }

describe('Liquid', () => {
  describe('renders as its first implementation does', () => {
    const { values, templates } = read('templates.json')
    const rendered = read('rendered.json')
    for (const [name, text] of Object.entries<string>(templates))
      it(name, () => {
        expect(liquid(values).plain(text)).to.equal(rendered[name])
        expect(liquid(values).html(text)).to.equal(rendered[name])
      })
  })

  describe('counts as its first implementation does: by its source, for values that its fixture does not have', () => {
    const values = {
      ...{ points: '1,200', coins: '12 EUR', price: '8.20', word: 'abc', sixth: 0.1, many: '1_000', yes: true },
      ...{ list: [0.1, 0.2, '1.20', 'x', null], rows: [{ n: 1.5 }, { n: 2 }, {}], face: '😀abc', near: '12.5abc' },
    }
    const COUNTED: Readonly<Record<string, string>> = {
      ...{ 'none | plus: 1': '1', 'none | minus: 1': '-1', 'none | times: 2': '0', 'none | divided_by: 2': '0' },
      ...{
        'none | modulo: 2': '0',
        'none | abs': '0',
        'none | ceil': '0',
        'none | round: 2': '0',
        '5 | plus: none': '5',
      },
      ...{ 'none | at_least: 3': '3', 'none | at_most: 3': '0', 'word | divided_by: 2': '0', 'word | modulo: 2': '0' },
      ...{ 'points | divided_by: 2': '0', 'points | plus: 1': '2', 'yes | plus: 1': '1', 'many | plus: 1': '1001' },
      ...{ 'coins | times: 2': '24', '"12abc" | plus: 1': '13', 'near | plus: 1': '13', '" -7 x" | abs': '7' },
      ...{
        '4.35 | times: 100': '435.0',
        '0.1 | plus: 0.2': '0.3',
        'sixth | plus: 0.2': '0.3',
        '1.1 | times: 3': '3.3',
      },
      ...{
        'price | minus: 1.15': '7.05',
        '5.5 | modulo: 1.1': '0.0',
        'price | plus: 0': '8.2',
        '1.10 | minus: 0.10': '1.0',
      },
      ...{
        '10 | divided_by: 4.0': '2.5',
        '10.0 | divided_by: 4': '2.5',
        '10 | divided_by: 5.0': '2.0',
        '20.0': '20.0',
      },
      ...{ '-7 | divided_by: 2': '-4', '-7 | modulo: 3': '2', '-7.5 | modulo: 2': '0.5', '7 | modulo: -3': '-2' },
      ...{ '2.0 | divided_by: 3': '0.6666666666666666', '10 | divided_by: 3.0': '3.3333333333333335' },
      ...{
        '1.005 | round: 2': '1.01',
        '2.5 | round': '3',
        '-2.5 | round': '-3',
        '20.0 | round: 1': '20.0',
        '5 | round: 2': '5',
      },
      ...{
        '1250 | round: -2': '1300',
        '1234.5 | round: -2': '1200',
        '435.0 | round': '435',
        '4.2 | ceil': '5',
        '-4.2 | floor': '-5',
      },
      ...{ '-4.50 | abs': '4.5', '3 | at_least: 5.0': '5.0', '3.0 | at_most: 5': '3.0', '4 | at_least: 4.0': '4' },
      ...{ '9007199254740993 | plus: 0': '9007199254740992', '"9007199254740993" | plus: 1': '9007199254740994' },
      ...{
        '0.0001 | times: 0.1': '1.0e-05',
        '1.5 | times: 10000000000000000': '1.5e+16',
        'list | sum': '1.5',
        'rows | sum: "n"': '3.5',
      },
      ...{ '4.35 | times: 100 | append: "!"': '435.0!', '4.0 | append: "!"': '4.0!', 'none | sum': '0' },
      ...{
        'face | size': '4',
        'face.size': '4',
        'none | size': '0',
        'face | split: "" | join: "-"': '😀-a-b-c',
        '7.0 | size': '0',
      },
      ...{
        'face | replace: "", "-"': '-😀-a-b-c-',
        '" a  b " | split: " " | join: "-"': 'a-b',
        'face | split: "" | size': '4',
      },
      ...{ 'face | slice: 0': '😀', 'face | slice: -3, 2': 'ab', 'face | slice: 1, 9': 'abc', 'face | slice: 9': '' },
      ...{ 'face | truncate: 4': '😀abc', '"😀😀😀😀😀" | truncate: 4': '😀...', 'none | truncate: 4': '' },
    }
    for (const [expression, result] of Object.entries(COUNTED))
      it(expression, () => {
        expect(liquid(values).plain(`{{ ${expression} }}`)).to.equal(result)
        expect(liquid(values).html(`{% assign x = ${expression} %}{{ x }}`)).to.equal(result)
      })

    it('compares what it has counted', () => {
      const text =
        '{% assign x = 4.35 | times: 100 %}{% if x == 435 and x >= 435 and 436 > x and x < 435.5 %}same{% endif %}'
      expect(liquid().plain(text)).to.equal('same')
    })

    it('bounds how long a number becomes', () => {
      for (const text of [
        '1 | times: "9'.concat('9'.repeat(500), '"'),
        `"${'9'.repeat(399)}" | times: "${'9'.repeat(399)}"`,
      ])
        expect(() => liquid().plain(`{{ ${text} }}`), text).to.throw(
          LiquidFailed,
          'a number in the template becomes too long',
        )
      expect(liquid().plain(`{{ "0.${'0'.repeat(300)}1" | times: "0.${'0'.repeat(300)}1" }}`)).to.equal('0.0')
    })
  })

  describe('halves no character that readers see', () => {
    const [family, flag, accent] = ['👨‍👩‍👧', '🇩🇪', 'e\u0301']
    const CUT: Readonly<Record<string, string>> = {
      [`"${family}${family}" | truncate: 8`]: `${family}...`,
      [`"${family}${family}" | truncate: 7`]: '...',
      [`"${family}" | truncate: 5`]: family,
      [`"ab${accent}cdef" | truncate: 6, ""`]: `ab${accent}cd`,
      [`"ab${accent}cdef" | truncate: 3, ""`]: 'ab',
      [`"${flag}${flag}x" | truncate: 3, ""`]: flag,
      [`"${accent}va" | slice: 0`]: accent,
      [`"${family}x" | slice: 0`]: family,
      [`"${family}x" | slice: 1, 4`]: '',
      [`"${family}x" | slice: 1, 5`]: 'x',
      [`"x${flag}y" | slice: -2, 2`]: 'y',
    }
    for (const [expression, result] of Object.entries(CUT))
      it(expression, () => expect(liquid().plain(`{{ ${expression} }}`)).to.equal(result))
  })

  describe('14 49: values are escaped in HTML, and nowhere else', () => {
    const { first_name } = HOSTILE.contact

    it('shows a name that is markup as text', () => {
      expect(liquid(HOSTILE).html('<p>Hi {{ contact.first_name }}</p>')).to.equal(
        '<p>Hi &lt;a href=&quot;https://evil.example&quot;&gt;Win&lt;/a&gt;</p>',
      )
    })

    it('opts out with raw', () => {
      expect(liquid(HOSTILE).html('{{ contact.first_name | raw }}')).to.equal(first_name)
    })

    it('leaves subjects and texts as they are', () => {
      expect(liquid(HOSTILE).plain('{{ contact.first_name }} {{ contact.first_name | raw }}')).to.equal(
        `${first_name} ${first_name}`,
      )
    })

    it('escapes once where the author escapes', () => {
      const { html } = liquid(HOSTILE)
      const once = '&lt;a href=&quot;https://evil.example&quot;&gt;Win&lt;/a&gt;'
      expect(html('{{ contact.first_name | escape }}')).to.equal(once)
      expect(html('{{ contact.first_name | escape_once }}')).to.equal(once)
    })

    it('escapes what filters, captures and loops bring', () => {
      const { html } = liquid(HOSTILE)
      for (const text of [
        "{{ contact.first_name | append: '' }}",
        '{{ contact.first_name | raw | append: "" }}',
        '{% echo contact.first_name %}',
        '{% assign x = contact.first_name %}{{ x }}',
        '{% for c in contact %}{{ c[1] }}{% endfor %}',
        '{{ contact.first_name | split: " " | join: " " }}',
        '{% liquid\necho contact.first_name\n%}',
        '{% cycle contact.first_name %}',
        '{% tablerow c in contact %}{{ c[1] }}{% endtablerow %}',
      ])
        expect(html(text), text).not.to.include('<a')
    })

    it('breaks lines as HTML, around what is escaped', () => {
      expect(liquid(HOSTILE).html('{{ contact.note | newline_to_br }}')).to.equal('one &amp; two<br />\n&lt;three&gt;')
      expect(liquid(HOSTILE).html('{{ contact.note | escape | newline_to_br }}')).to.equal(
        'one &amp; two<br />\n&lt;three&gt;',
      )
    })
  })

  describe('14 56: says what is no Liquid', () => {
    const REFUSED: Readonly<Record<string, string>> = {
      '{% if a %}x': "'if' tag was never closed",
      '{% for a in b %}x{% if c %}{% endif %}': "'for' tag was never closed",
      '{% nonsense %}': "Unknown tag 'nonsense'",
      '{{ a | nonsense }}': "Unknown filter 'nonsense'",
    }
    for (const [text, reason] of Object.entries(REFUSED))
      it(text, () => expect(checkLiquid(text)).to.equal(`Liquid syntax error: ${reason}`))

    it('and every other mistake', () => {
      for (const text of ['{{ a', '{% if', '{% endif %}', '{% for a %}{% endfor %}', '{% assign = 1 %}', '{% else %}'])
        expect(checkLiquid(text), text).to.match(/^Liquid syntax error: .+/)
    })

    it('takes what is none, and empty texts', () => {
      for (const text of [
        '',
        'a { b } c',
        '100 %}',
        '{{ a.b[0] | default: "x" }}',
        '{% comment %}{% if %}{% endcomment %}',
      ])
        expect(checkLiquid(text), text).to.equal(undefined)
    })

    it('renders what is missing as nothing', () => {
      expect(liquid().html('[{{ contact.first_name }}{{ a.b.c }}{% for x in a.b %}x{% endfor %}]')).to.equal('[]')
    })

    it('fails a mail whose values a template cannot handle, without telling them', () => {
      const render = () => liquid({ n: 0, secret: 'Ada' }).plain('{{ secret | append: "x" }}{{ 1 | divided_by: n }}')
      expect(render).to.throw(LiquidFailed, /^Liquid error: a tag or filter cannot handle a value$/)
    })
  })

  describe('14 57: bounds what a template may cost', () => {
    const doubled = (times: number) =>
      `{% assign s = "0123456789" %}${'{% assign s = s | append: s %}'.repeat(times)}{{ s }}`
    const long = `{% capture s %}${'x'.repeat(150_000)}{% endcapture %}`
    const lots = (body: string) => `${long}{% for i in (1..10000) %}${body}{% endfor %}`
    const BOMBS: Readonly<Record<string, string>> = {
      'a range of a thousand millions': '{% for i in (1..1000000000) %}{{ i }}{% endfor %}',
      'a range without a body': '{% for i in (1..1000000000) %}{% endfor %}',
      'loops within loops': `${'{% for i in (1..100) %}'.repeat(6)}x${'{% endfor %}'.repeat(6)}`,
      'empty loops within loops': `${'{% for i in (1..1000) %}'.repeat(3)}${'{% endfor %}'.repeat(3)}`,
      'a text doubled 40 times': doubled(40),
      'a capture doubled 40 times': `{% capture s %}0123456789{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(40)}`,
      'a list doubled 40 times': `{% assign a = "1,2" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(40)}{{ a.size }}`,
      'a long text, many times in a list': `${long}{% assign a = s | split: "," %}${'{% assign a = a | concat: a %}'.repeat(12)}{{ a }}`,
      'a replacement that multiplies': `${long}{{ s | replace: "x", s }}`,
      'searches in a long text': lots('{% if s contains "y" %}{% endif %}'),
      'comparisons of long texts': lots('{% assign t = s | append: "" %}{% if s == t %}{% endif %}'),
      'choices between long texts': lots(`{% case s %}{% when ${'s, '.repeat(50)}1 %}{% endcase %}`),
      'filters over a long text': `${long}{{ s${' | upcase'.repeat(500)} }}`,
      'copies of a list': `{% assign a = (1..9000) %}${'{% for i in (1..100) %}'.repeat(2)}{% for j in a limit: 1 %}{% endfor %}${'{% endfor %}'.repeat(2)}`,
      'a long list of numbers': '{% assign a = (1..199000) %}{% for j in a limit: 1 %}{% endfor %}',
      'a wide date': '{{ 0 | date: "%999999999Y" }}',
      'much text': '{% for i in (1..3000) %}'.concat('x'.repeat(1000), '{% endfor %}'),
      'long numbers': `{% assign x = "${'9'.repeat(250)}" | plus: 0 %}{% for i in (1..10000) %}{% assign y = x | divided_by: 0.3 | round: 300 | plus: x %}{% endfor %}`,
      'long whole numbers': `{% assign x = "${'9'.repeat(399)}" | plus: 0 %}{% for i in (1..10000) %}{% assign y = x | minus: 1 | plus: 1 %}{% endfor %}`,
      'rows of a table': '{% tablerow i in (1..5000) %}{% for j in (1..5000) %}{% endfor %}{% endtablerow %}',
    }
    for (const [name, text] of Object.entries(BOMBS))
      it(name, () => {
        const bomb = () => {
          expect(() => liquid().html(text)).to.throw(LiquidFailed, /too long|makes too much/)
        }
        expect(cpuMs(bomb, 50)).to.be.below(50)
      })

    it('counts all parts of a mail together', () => {
      const { html, plain } = liquid()
      const text = '{% for i in (1..2000) %}x{% endfor %}'
      html(text)
      html(text)
      expect(() => plain(text)).to.throw(LiquidFailed, 'takes too long')
      expect(liquid().plain(text)).to.have.length(2000)
    })

    it('refuses texts that are too deep or have too many tags', () => {
      const deep = `${'{% if a %}'.repeat(60)}x${'{% endif %}'.repeat(60)}`
      expect(checkLiquid(deep)).to.equal('Liquid syntax error: Nesting too deep: at most 50 levels')
      for (const text of ['{{ a }}'.repeat(1001), `{% liquid\n${'echo a\n'.repeat(3000)}%}`, '{{'.repeat(100_000)])
        expect(checkLiquid(text), text.slice(0, 20)).to.match(/^Liquid syntax error: Too many tags/)
      expect(checkLiquid(`{{ a${' | upcase'.repeat(50_000)} }}`)).to.match(/Too much within tags/)
    })

    it('parses and renders the largest template in time', () => {
      const row = `<tr>${'<td style="color:#333">{{ c | upcase }}</td>'.repeat(10)}</tr>\n`
      let round = 0
      const work = () => {
        const text = row.repeat(99) + round++
        expect(liquid({ c: 'win' }).html(text)).to.include('WIN')
      }
      // What the processor has not yet compiled costs more.
      for (let warm = 0; warm < 5; warm++) work()
      expect(cpuMs(work, 50)).to.be.below(50)
    })
  })

  describe('14 58: reaches what it is handed, and nothing else', () => {
    it('has no tags that read other templates', () => {
      for (const tag of ['include', 'render', 'layout', 'block'])
        expect(checkLiquid(`{% ${tag} "/etc/passwd" %}`)).to.equal(`Liquid syntax error: Unknown tag '${tag}'`)
    })

    it('has no filters that evaluate data', () => {
      for (const filter of ['where_exp', 'find_exp', 'group_by_exp', 'json', 'sha256', 'sample'])
        expect(checkLiquid(`{{ a | ${filter}: "x", "1" }}`)).to.equal(`Liquid syntax error: Unknown filter '${filter}'`)
    })

    it('sees no prototypes, functions or getters', () => {
      let isAsked = false
      const values = {
        contact: {
          name: 'Ada',
          get secret() {
            isAsked = true
            return 'secret'
          },
          ...{ call: () => 'called' },
        },
      }
      const text =
        '{{ contact.constructor }}{{ contact.__proto__ }}{{ contact.toString }}{{ constructor }}{{ contact.name.constructor }}{{ contact.secret }}{{ contact.call }}{{ contact["__proto__"]["x"] }}'
      expect(liquid(Object(values)).plain(`[${text}]`)).to.equal('[]')
      expect(isAsked).to.equal(false)
    })

    it('leaves nothing behind for the next mail', () => {
      const values = { n: 1 }
      const text = '{% assign a = "x" %}{% increment n %}{{ a }}'
      expect(liquid(values).plain(text)).to.equal('1x')
      const { plain } = liquid(values)
      expect([plain(text), plain('[{{ a }}]'), values.n]).to.deep.equal(['1x', '[]', 1])
    })
  })

  describe('knows the time of its rendering', () => {
    it('shows now in the zone of the workspace', () => {
      expect(liquid({}, 'Asia/Tokyo').plain("{{ 'now' | date: '%F %H:%M' }} {{ 'today' | date: '%Y' }}")).to.equal(
        '2026-11-26 21:00 2026',
      )
    })

    it('shows instants there, and dates as they are written', () => {
      expect(
        liquid({}, 'America/New_York').plain(
          "{{ '2026-03-05T02:00:00Z' | date: '%F' }} {{ '2026-03-05' | date: '%F' }}",
        ),
      ).to.equal('2026-03-04 2026-03-05')
    })
  })
})
