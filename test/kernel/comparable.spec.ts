import { expect } from 'chai'
import fc from 'fast-check'
import { comparable, isBlankText, visible } from '../../domain/kernel/values/comparable.ts'
import {
  isAddress,
  isPlainlyWritten,
  mailboxOf,
  mailboxPart,
  mailboxSpellings,
} from '../../domain/kernel/values/mailbox.ts'

const ZERO_WIDTH = '\u200b'
const SOFT_HYPHEN = '\u00ad'
const ORDER_MARK = '\ufeff'
const RIGHT_TO_LEFT = '\u200f'
const COMBINING_ACUTE = '\u0301'

describe('texts that a reader takes for the same', () => {
  it('have one form: case, composition, width, invisible characters and outer white space do not count', () => {
    const same = [
      'Café',
      'CAFÉ',
      ` Cafe${COMBINING_ACUTE} `,
      'Ｃａｆé',
      `Ca${ZERO_WIDTH}f${SOFT_HYPHEN}é${RIGHT_TO_LEFT}`,
      `${ORDER_MARK}café`,
    ]
    expect([...new Set(same.map(comparable))]).to.deep.equal(['café'])
    expect(comparable('cafe')).not.to.equal(comparable('café'))
  })

  it('have a form that is its own form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(comparable(comparable(text).normalize('NFD'))).to.equal(comparable(text))
      }),
    )
  })

  it('are blank when nothing of them is seen', () => {
    for (const text of ['', ' ', '\t\n', ZERO_WIDTH, ` ${SOFT_HYPHEN}${ORDER_MARK}${RIGHT_TO_LEFT} `])
      expect(isBlankText(text), JSON.stringify(text)).to.equal(true)
    for (const text of ['a', ` ${ZERO_WIDTH}0`, 'का']) expect(isBlankText(text), text).to.equal(false)
    expect(visible(`a${ZERO_WIDTH}b`)).to.equal('ab')
  })
})

describe('the addresses of one mailbox', () => {
  it('are one, in letters and in Punycode, quoted without need, and with characters that nobody sees', () => {
    const same = [
      'ada@münchen.example',
      'ADA@MÜNCHEN.example',
      'ada@xn--mnchen-3ya.example',
      'Ada@XN--MNCHEN-3YA.EXAMPLE',
      `a${ZERO_WIDTH}da@mu\u0308nchen.example`,
      '"ada"@münchen。example',
      ` ${ORDER_MARK}ada@münchen.example${RIGHT_TO_LEFT} `,
    ]
    for (const address of same) {
      expect(isAddress(address), address).to.equal(true)
      expect(mailboxSpellings(address), address).to.deep.equal(['ada@münchen.example', 'ada@xn--mnchen-3ya.example'])
    }
    expect(mailboxOf('a.da@example.com')).not.to.equal(mailboxOf('ada@example.com'))
  })

  it('have the form that older versions looked up, unless the domain is in Punycode', () => {
    for (const address of ['Ada@Example.com', 'ada+tag@example.com', 'ada@münchen.example', "o'neill@example.co.uk"])
      expect(mailboxOf(address)).to.equal(address.normalize('NFKC').trim().toLowerCase())
  })

  it('can be compared in part', () => {
    expect(mailboxPart('@XN--MNCHEN-3YA.example')).to.equal('@münchen.example')
    expect(mailboxPart('@xn--~')).to.equal('@xn--~')
    expect(mailboxPart('Ada@')).to.equal('ada@')
  })
})

describe('texts that are no address', () => {
  const long = (count: number) => 'a'.repeat(count)
  const wrong: readonly string[] = [
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'a,b@example.com',
    'ada@x..com',
    'ada@.example.com',
    'ada@example.com.',
    'a..b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'mailto:ada@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'ada lovelace@example.com',
    'ada@exam ple.com',
    'a"b@example.com',
    '"ada@example.com',
    '"a"b"@example.com',
    '""@example.com',
    'a@b@example.com',
    'ada@-example.com',
    'ada@example.123',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada@exa%6dple.com',
    'ada@xn--a.com',
    'a\nb@example.com',
    'ada@example.com,bob@example.com',
    'ada;bob@example.com',
    `${long(65)}@example.com`,
    `ada@${long(64)}.com`,
    `ada@${`${long(60)}.`.repeat(5)}com`,
  ]
  for (const text of wrong) it(JSON.stringify(text.slice(0, 60)), () => expect(isAddress(text)).to.equal(false))

  it('are told from unusual addresses', () => {
    const right = [
      "!#$%&'*+-/=?^_`{|}~@example.com",
      '"ada lovelace"@example.com',
      '"a\\"b"@example.com',
      'δοκιμή@παράδειγμα.δοκιμή',
      `${long(64)}@example.com`,
      'ada@123.example',
    ]
    for (const address of right) expect(isAddress(address), address).to.equal(true)
  })

  it('are judged alike with and without quotes, which only the closer look understands', () => {
    const pieces = fc.constantFrom('a', 'Z', '0', '9', '_', '.', '+', '-', 'xn--', 'com', '0x7f', '1')
    const part = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((all) => all.join(''))
    const check = (local: string, domain: string) => {
      const isDotted = local.split('.').every((atom) => atom !== '')
      fc.pre(isDotted)
      expect(isAddress(`${local}@${domain}`)).to.equal(isAddress(`"${local}"@${domain}`))
    }
    fc.assert(fc.property(part, part, check), { numRuns: 3000 })
    fc.assert(
      fc.property(part, part, (local, domain) => check(local, `${domain}.com`)),
      { numRuns: 3000 },
    )
  })

  it('are told in linear time', () => {
    const nasty = [long(200_000), `${'a.'.repeat(100_000)}@`, `"${'\\a'.repeat(100_000)}`, '@'.repeat(200_000)]
    const started = performance.now()
    for (const text of nasty) for (const read of [isAddress, mailboxOf, mailboxPart, comparable]) read(text)
    // In quadratic time they take minutes.
    expect(performance.now() - started).to.be.below(20_000)
  })
})

describe('addresses of those who sign in', () => {
  it('are written as they are: no compatibility form of another address', () => {
    for (const text of [
      'mike@example.com',
      ' Mike@Example.com ',
      'jos\u00e9@b\u00fccher.example',
      'jose\u0301@example.com',
      'a@xn--bcher-kva.example',
    ])
      expect(isPlainlyWritten(text), text).to.equal(true)
    for (const text of [
      'mi\u212ae@example.com',
      '\uff4dike@example.com',
      'mi\u00adke@example.com',
      'mi\u200bke@example.com',
      'mike@example\u3002com',
      'mike@example\uff0ecom',
      'mike\uff20example.com',
      'mike@ex\u00adample.com',
      '\ufb01ne@example.com',
    ])
      expect(isPlainlyWritten(text), JSON.stringify(text)).to.equal(false)
  })
})
