import { expect } from 'chai'
import { checkLiquid } from '../../../domain/emails/liquid/parse.ts'
import { type LiquidValue, mailLiquid } from '../../../domain/emails/liquid/render.ts'
import { LOCALES, STANDARD_KINDS } from '../../../domain/emails/owed/kinds.ts'
import { standardTemplate } from '../../../domain/emails/owed/layout.ts'

const VALUES = {
  business_name: 'Mug Shop',
  contact: { first_name: 'Ada <i>' },
  order: {
    number: '#1001',
    total: '$29.90',
    lines: [
      { name: 'Mug & saucer', quantity: 2, amount: '$20.00' },
      { name: 'Parcel', quantity: 1, amount: '$9.90' },
    ],
  },
  amount: '$29.90',
  shipment: { carrier: 'DHL', tracking_number: 'T-1' },
  downloads: [{ name: 'Guide', url: 'https://files.example/guide?a=1&b=2' }],
  url: 'https://shop.example/x',
  course: { title: 'Throwing' },
  sections: [{ title: 'Handles', url: null }],
  community: { name: 'Potters' },
  author: 'Bob',
  excerpt: '1 < 2',
  post: { title: 'Kiln day', space: 'Glazes' },
  posts: [{ title: 'Kiln day', author: 'Bob', space: 'Glazes', url: 'https://shop.example/p' }],
  more: 3,
}

const rendered = (
  kind: (typeof STANDARD_KINDS)[number],
  locale: (typeof LOCALES)[number],
  values: Record<string, LiquidValue>,
) => {
  const { subject, preheadline, html_body } = standardTemplate(kind, locale)
  const { html, plain } = mailLiquid({ values, now: 0, timeZone: 'UTC' })
  return { subject: plain(subject), preheadline: plain(preheadline), html: html(html_body) }
}

describe('Mails with a standard text', () => {
  for (const kind of STANDARD_KINDS)
    it(`are valid in each language, with and without what they may show: ${kind}`, () => {
      for (const locale of LOCALES) {
        for (const text of Object.values(standardTemplate(kind, locale))) expect(checkLiquid(text)).to.equal(undefined)
        for (const values of [VALUES, { ...VALUES, contact: {}, shipment: {}, url: null }]) {
          const { subject, preheadline, html } = rendered(kind, locale, values)
          for (const text of [subject, preheadline, html]) expect(text).to.not.match(/\{[{%]|undefined|null|<i>/)
          expect(html).to.contain('Mug Shop')
        }
      }
    })

  it('show what was ordered, and where the files are', () => {
    expect(rendered('order_confirmation', 'en', VALUES).html)
      .to.contain('Mug &amp; saucer')
      .and.contain('$29.90')
    expect(rendered('download_ready', 'pt', VALUES).html).to.contain('href="https://files.example/guide?a=1&amp;b=2"')
    expect(rendered('order_shipped', 'ja', VALUES).html)
      .to.contain('DHL')
      .and.contain('T-1')
    expect(rendered('payment_failed', 'en', VALUES).html).to.contain('href="https://shop.example/x"')
  })

  it('show what is new in courses and communities', () => {
    expect(rendered('section_published', 'en', VALUES).html).to.contain('<li>Handles</li>')
    expect(rendered('community_mention', 'pt', VALUES).subject).to.equal('Bob mencionou você em Potters')
    expect(rendered('community_reply', 'ja', VALUES).html).to.contain('1 &lt; 2')
    expect(rendered('community_digest', 'en', VALUES).html)
      .to.contain('and 3 more')
      .and.contain('<a href="https://shop.example/p">Kiln day</a> – Bob, Glazes')
  })

  it('14 22: repeat nothing in a confirmation that somebody typed', () => {
    for (const locale of LOCALES)
      for (const text of Object.values(standardTemplate('opt_in_confirmation', locale)))
        expect(text).to.not.contain('contact')
  })
})
