import { expect } from 'chai'
import fc from 'fast-check'
import { textOfHtml, textOfPieces } from '../../../domain/emails/composing/text-part.ts'
import { mailLiquid, type Piece } from '../../../domain/emails/liquid/render.ts'

const piecesOf = (
  template: string,
  x: string,
  y = 'https://mail.shop.example/m/unsubscribe-from-mugs',
): readonly Piece[] => mailLiquid({ values: { x, y }, now: 0, timeZone: 'UTC' }).htmlInPieces(template)

const whole = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

const VALUES = [
  ...[
    'Ada',
    'Ada Lovelace',
    '',
    ' ',
    ' Ada',
    'Ada ',
    'a  b',
    'a\nb',
    '<b>',
    'O’Hara & Söhne',
    "O'Hara",
    '日本',
    '\u200b',
    '\ue000',
  ],
  ...['https://mail.shop.example/m/unsubscribe-from-mugs', 'amp', 'lt;', '<p>', '"', 'x'.repeat(300), '-->', 'h2'],
]

const TEMPLATES = [
  '<h1>Hello {{ x }}</h1><p>Mugs, {{x}}, and more.</p>',
  'Hello{{ x }} {{ x }}{{ x }}\n{{ x }}<br>{{ x }}',
  '<p>{{ x | raw }}</p><p>{{ x }}</p>',
  '<a href="{{ y }}">Unsubscribe</a> {{ x }}',
  '<a href="{{ y }}">{{ y }}</a>',
  '<a href="{{ y }}">{{ x }}</a>',
  '<a href="{{ x }}">Mugs</a><a href="https://mugs.example/?for={{ x }}">mugs</a>',
  '<a href="https://mail.shop.example/m/{{ x }}">https://mail.shop.example/m/Ada</a>',
  '<a href="{{ y }}">https://mail.shop.example/m/unsubscribe-from-mugs</a>',
  '<a href={{ x }}>Mugs</a><p {{ x }}>Mugs</p><{{ x }}>Mugs</p><h{{ x }}>Mugs</h2>',
  '<table><tr><th>Name</th><th>Mug</th></tr><tr><td>{{ x }}</td><td>blue</td></tr></table>',
  '<img alt="{{ x }}" src="x.png"><!-- {{ x }} --><style>.{{ x }} {}</style><title>{{ x }}</title>{{ x }}',
  '<pre>{{ x }}\n  {{ x }}</pre><ul><li>{{ x }}</li></ul><ol start="{{ x }}"><li>{{ x }}</li></ol>',
  '<blockquote>{{ x }}<br>{{ x }}</blockquote>&{{ x }};&amp{{ x }} &am{{ x }}',
  '\ue000 {{ x }}',
  '{% if x == "Ada" %}<p>{% endif %}{{ x }}',
  '{{ missing }}{{- x -}} {{ x | escape }} {{ x | upcase }}',
]

describe('The text of a mail that was made of HTML', () => {
  it('14 59: is the same whether made for one recipient or, but for the values, for all', () => {
    for (const template of TEMPLATES)
      for (const x of VALUES) {
        const pieces = piecesOf(template, x)
        expect(textOfPieces(pieces), `${template} with ${JSON.stringify(x)}`).to.equal(textOfHtml(whole(pieces)))
      }
  })

  it('14 59: is so for any pieces', () => {
    const markup = [
      '<p>',
      '</p>',
      '<a href="',
      '">',
      '</a>',
      '<td>',
      '</td>',
      '<table>',
      '<tr>',
      '</table>',
      '<pre>',
      "'",
    ]
    const text = [
      'Mugs',
      ' ',
      '\n',
      '&',
      '&lt;',
      ';',
      '<',
      '>',
      '=',
      '<br>',
      '<li>',
      '<ul>',
      '<h1 title="',
      '<!--',
      '-->',
    ]
    const still = fc.array(fc.constantFrom(...markup, ...text), { maxLength: 5 }).map((parts) => parts.join(''))
    const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 4 }))
    const rows = fc.array(fc.tuple(still, value), { maxLength: 5 })
    fc.assert(
      fc.property(rows, fc.array(value, { maxLength: 3 }), (given, others) => {
        const made = (of: (index: number, value: string) => string): readonly Piece[] =>
          given.flatMap(([before, one], index) => [
            { text: before, isValue: false },
            { text: of(index, one), isValue: true },
          ])
        // The first makes what the others use.
        for (const pieces of [made((_, one) => one), ...others.map((other) => made(() => other))])
          expect(textOfPieces(pieces)).to.equal(textOfHtml(whole(pieces)))
      }),
      { numRuns: 2000 },
    )
  })
})
