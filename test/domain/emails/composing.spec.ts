import { expect } from 'chai'
import { AddressUnusable, compose, type Letter, type Recipient } from '../../../domain/emails/composing/compose.ts'
import { LiquidFailed } from '../../../domain/emails/liquid/render.ts'
import type { MailLink, MailLinks } from '../../../domain/kernel/ports/mail-links.ts'
import { destinationsIn } from '../../support/destinations.ts'

const OWN = 'https://mail.shop.example/m/'
const read = (token: string): MailLink => JSON.parse(Buffer.from(token, 'base64url').toString())
const links: MailLinks = {
  urlOf: (link) => OWN + Buffer.from(JSON.stringify(link)).toString('base64url'),
  read,
  isOwn: (url) => url.startsWith(OWN),
  returnPath: (id, domain) => `b+${id}@${domain}`,
  deliveryOf: () => undefined,
  messageId: (id, domain) => `${id}@${domain}`,
  deliveryOfMessage: () => undefined,
}
const UNSUBSCRIBE = links.urlOf({ kind: 'unsubscribe', deliveryId: 7 })
const PREFERENCES = links.urlOf({ kind: 'preferences', deliveryId: 7 })

const FOOTER = {
  business: 'Mugs & Co',
  address: ['1 High Street', 'AB1 2CD Town'],
  isSingleLine: false,
  alignment: 'left',
  words: null,
} as const

const letter = (texts: Partial<Letter['texts']>, more: Partial<Letter> = {}): Letter => ({
  texts: { subject: 'Hello', preheadline: null, html_body: null, text_body: null, ...texts },
  from: { name: 'Mug Shop', address: 'hi@shop.example' },
  replyTo: null,
  footer: FOOTER,
  tracksOpens: false,
  tracksClicks: true,
  domain: 'shop.example',
  returnDomain: 'bounces.shop.example',
  ...more,
})
const recipient = (more: Partial<Recipient> = {}): Recipient => ({
  deliveryId: 7,
  to: { name: 'Ada', address: 'ada@far.example' },
  values: { contact: { first_name: 'Ada' } },
  now: 0,
  timeZone: 'UTC',
  ...more,
})
const composed = (texts: Partial<Letter['texts']>, more?: Partial<Letter>, to?: Partial<Recipient>) =>
  compose(letter(texts, more), recipient(to), links)

/** Returns where the links of a mail lead in the end. */
const destinations = (html: string) =>
  destinationsIn(html).map((url) => {
    const link = links.isOwn(url) ? read(url.slice(OWN.length)) : undefined
    return link?.kind === 'click' ? link.url : url
  })

describe('A mail that is composed', () => {
  it('leads no link over a click that shows an address', () => {
    const at = 'https://shop.example/x?a=1'
    for (const shown of [
      ...['https://shop.example/x', 'http://other.example', 'www.shop.example', ' shop.example/x '],
      ...['<b>https://</b>shop.example', 'https:&#47;/shop.example/x', 'SHOP.example'],
    ])
      expect(destinationsIn(composed({ html_body: `<a href="${at}">${shown}</a>` }).html), shown).to.include(at)
    for (const shown of ['Shop', 'Node.js', 'see https://shop.example/x', '<img src="x.png">', ''])
      expect(destinationsIn(composed({ html_body: `<a href="${at}">${shown}</a>` }).html), shown).to.not.include(at)
  })

  it('14 17: has a link to unsubscribe in both parts, whatever a template hides', () => {
    const hidden = '<p>{% if contact.missing %}<a href="{{ unsubscribe_url }}">Bye</a>{% endif %}</p>'
    for (const html_body of ['<p>Hello</p>', hidden]) {
      const { html, text } = composed({ html_body })
      expect(destinationsIn(html)).to.include.members([UNSUBSCRIBE, PREFERENCES])
      expect(text).to.contain(UNSUBSCRIBE).and.contain(PREFERENCES)
    }
    const own = composed({ html_body: '<p><a href="{{ unsubscribe_url }}">Bye</a></p>', text_body: 'Hi' })
    expect(destinationsIn(own.html).filter((url) => url === UNSUBSCRIBE)).to.have.length(1)
    expect(own.text, 'the text has none of its own').to.contain(UNSUBSCRIBE)
    for (const part of [own.html.replaceAll('&amp;', '&'), own.text])
      expect(part).to.contain('Mugs & Co').and.contain('1 High Street')
  })

  it('14 1: has neither footer nor header to unsubscribe where it is owed', () => {
    const { html, text, headers } = composed({ html_body: '<p>Hello</p>' }, { footer: null })
    for (const part of [html, text, JSON.stringify(headers)]) expect(part.toLowerCase()).to.not.contain('unsubscribe')
  })

  it('14 12: says in its headers that one click unsubscribes, by a URL without an address', () => {
    const { headers } = composed({ html_body: 'x' })
    expect(headers).to.deep.equal({
      'List-Unsubscribe': `<${UNSUBSCRIBE}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  it('14 18: leads its own links over nothing', () => {
    const confirm = links.urlOf({ kind: 'confirm', deliveryId: 7 })
    const html_body = `<a href="{{ unsubscribe_url }}">a</a><a href="{{ preferences_url }}">b</a><a href="${confirm}">c</a>`
    expect(destinationsIn(composed({ html_body }).html)).to.deep.equal([UNSUBSCRIBE, PREFERENCES, confirm])
  })

  it('14 61: leads to exactly what the author wrote', () => {
    const written = [
      ['https://x.example/?a=1&amp;b=2', 'https://x.example/?a=1&b=2'],
      ['https://x.example/a#part-2', 'https://x.example/a#part-2'],
      ['https://x.example/a%2Fb+c', 'https://x.example/a%2Fb+c'],
      ['https://x.example/Привет', 'https://x.example/Привет'],
      [
        'https://x.example/?to=https%3A%2F%2Fy.example%2F%3Fz%3D1',
        'https://x.example/?to=https%3A%2F%2Fy.example%2F%3Fz%3D1',
      ],
      [
        'https://x.example/?n={{ contact.first_name | url_encode }}&amp;c=&quot;q&quot;',
        'https://x.example/?n=Ada&c="q"',
      ],
    ]
    for (const quote of ['"', "'"]) {
      const html_body = written
        .map(([raw]) => `<A class=x HREF = ${quote}${raw}${quote} target=_blank>go</A>`)
        .join('\n')
      const { html } = composed({ html_body }, { footer: null })
      expect(destinations(html)).to.deep.equal(written.map(([, url]) => url))
      expect(destinationsIn(html).every(links.isOwn)).to.equal(true)
      expect(html.match(/target=_blank>go<\/A>/g)).to.have.length(written.length)
    }
    const bare = composed({ html_body: '<a href=https://x.example/?a=1&amp;b=2>go</a>' }, { footer: null })
    expect(destinations(bare.html)).to.deep.equal(['https://x.example/?a=1&b=2'])
  })

  it('14 63: leaves other schemes, places in the page and comments as they are', () => {
    const html_body =
      '<a href="mailto:a@x.example?subject=1&amp;2">m</a><a href="tel:+1">t</a><a href="#top">p</a><a href="javascript:x">j</a>' +
      '<!--[if mso]><a href="https://mso.example/">v</a><![endif]--><script>"<a href=\'https://s.example\'>"</script>'
    const { html } = composed({ html_body }, { footer: null })
    expect(html).to.contain(html_body)
  })

  it('14 50: makes no header of line breaks', () => {
    const nasty = 'Ada\r\nBcc: evil@x.example\u0000\u2028'
    const mail = composed(
      { subject: `Hello {{ contact.first_name }}` },
      { from: { name: nasty, address: 'hi@shop.example' } },
      {
        to: { name: nasty, address: 'ada@far.example' },
        values: { contact: { first_name: nasty } },
      },
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    for (const text of [mail.subject, mail.from.name, mail.to.name]) expect(text).to.not.match(/[\u0000-\u001f\u2028]/)
    expect(mail.subject).to.equal('Hello Ada Bcc: evil@x.example')
  })

  it('14 49: escapes values in HTML alone', () => {
    const values = { contact: { first_name: '<b>&' } }
    const texts = {
      subject: '{{ contact.first_name }}',
      html_body: '{{ contact.first_name }}',
      text_body: '{{ contact.first_name }}',
    }
    const mail = composed(texts, { footer: null }, { values })
    expect([mail.subject, mail.text]).to.deep.equal(['<b>&', '<b>&\n'])
    expect(mail.html).to.contain('&lt;b&gt;&amp;')
    expect(composed({ html_body: '{{ contact.first_name | raw }}' }, {}, { values }).html).to.contain('<b>&')
  })

  it('14 55: writes foreign domains in ASCII, and what stands before the @ as it is', () => {
    const to = (address: string) => ({ to: { name: '', address } })
    expect(composed({}, {}, to('ada@bücher.example')).to.address).to.equal('ada@xn--bcher-kva.example')
    expect(composed({}, {}, to('ädä@bücher.example')).to.address).to.equal('ädä@xn--bcher-kva.example')
    expect(() => composed({}, {}, to('ada far.example'))).to.throw(AddressUnusable)
    expect(composed({}, {}, to('"a@b"@far.example')).to.address).to.equal('"a@b"@far.example')
  })

  it('14 59: has every destination, the address and the link to unsubscribe in its text, which is not counted', () => {
    const html_body =
      '<p>See <a href="https://x.example/?a=1&amp;n={{ contact.first_name }}">the offer</a></p><table><tr><td>Mug</td><td>2</td></tr></table>'
    const { text } = composed({ html_body }, { footer: { ...FOOTER, isSingleLine: true, words: 'Had enough?' } })
    expect(text)
      .to.contain('https://x.example/?a=1&n=Ada')
      .and.match(/Mug +2/)
    expect(text).to.contain('Mugs & Co, 1 High Street, AB1 2CD Town').and.contain('Had enough?')
    expect(text).to.contain(`Unsubscribe: ${UNSUBSCRIBE}`)
  })

  it('14 57: bounds all parts of one mail together', () => {
    const heavy = '{% for a in (1..900) %}{% for b in (1..3) %}{{ b }}{% endfor %}{% endfor %}'
    expect(composed({ html_body: heavy }).html).to.contain('123123')
    expect(() => composed({ subject: heavy, preheadline: heavy, html_body: heavy, text_body: heavy })).to.throw(
      LiquidFailed,
    )
  })

  it('is one document, with what mail programs show before it and what they fetch after it', () => {
    const mail = composed(
      { preheadline: 'Two for one', html_body: '<html><body bgcolor="red"><p>x</p></body></html>' },
      { tracksOpens: true, footer: null },
    )
    const open = links.urlOf({ kind: 'open', deliveryId: 7 })
    expect(mail.html).to.match(
      /^<html><body bgcolor="red"><div style="display:none[^>]*>Two for one<\/div><p>x<\/p><img src="/,
    )
    expect(mail.html)
      .to.contain(`<img src="${open}"`)
      .and.match(/<\/body><\/html>$/)
    expect(composed({ html_body: '<p>x</p>' }).html).to.match(/^<!DOCTYPE html>/)
    expect(composed({ text_body: 'a < b' }, { footer: null }).html).to.contain('a &lt; b')
  })
})
