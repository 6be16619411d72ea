import { expect } from 'chai'
import fc from 'fast-check'
import type { PageContent } from '../../../api/pages/rendering/context.ts'
import { renderPage } from '../../../api/pages/rendering/document.ts'
import { containedCss, cssUrl } from '../../../api/pages/rendering/escape.ts'
import { playerOf } from '../../../api/pages/rendering/player.ts'
import { inSections } from '../../../api/pages/rendering/sections.ts'
import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { atOnce } from '../../../domain/kernel/values/turns.ts'
import { ELEMENTS } from '../../../domain/pages/markup/elements.ts'
import { parseMarkup } from '../../../domain/pages/markup/tree.ts'

const EMPTY: PageContent = {
  ...{ title: 'Page', description: null, url: null, token: null, isIndexed: true, elements: [], own: undefined },
  ...{ headCode: [], footerCode: [], customCss: '', style: '', products: [], bumps: [], zone: 'UTC' },
  ...{ pictures: new Map(), frameAncestors: [] },
}

const render = (markup: string, content: Partial<PageContent> = {}, thirdParty: readonly ('fonts' | 'videos')[] = []) =>
  atOnce(
    renderPage(
      { ...EMPTY, elements: inSections(atOnce(parseMarkup(markup))), ...content },
      { sdkUrl: 'http://sdk.test', thirdParty: new Set(thirdParty) },
    ),
  )
const bodyOf = (markup: string, content?: Partial<PageContent>): string =>
  /<main>(.*)<\/main>/s.exec(render(markup, content).html)![1]!

const option = { value: 'v|p', name: 'Mug', price: '$1.00' }
const mug = {
  name: 'Mug',
  description: 'Holds',
  images: [{ src: '/images/1/k', alt: 'Mug' }],
  options: [option],
  preheadline: null,
}

describe('rendering a page', () => {
  it('knows every element of the language', () => {
    const inside: Record<string, string> = { list: '<item>One</item>', accordion: '<item title="One">Two</item>' }
    const needed: Record<string, string> = {
      image: ' src="/a"',
      video: ' src="/v.mp4"',
      countdown: ' date="2030-01-01"',
    }
    for (const [name, { content }] of ELEMENTS) {
      if (['section', 'row', 'column', 'flex', 'item', 'saved-section'].includes(name)) continue
      const attributes = needed[name] ?? ''
      const markup = content === 'none' ? `<${name}${attributes}/>` : `<${name}>${inside[name] ?? 'Words'}</${name}>`
      const html = bodyOf(markup, { products: [mug] })
      expect(html.replace(/<h1 class="vh">[^<]*<\/h1>/, ''), name).to.match(/<div class="column">.+<\/div>/s)
    }
    expect(bodyOf('<saved-section ref="1"/>')).to.equal('<h1 class="vh">Page</h1>')
  })

  it('takes values of attributes only in the forms that the language has', () => {
    const style = (attributes: string) => /style="([^"]*)"/.exec(bodyOf(`<section ${attributes}></section>`))?.[1]
    expect(style('bg="#abc"')).to.equal('background:#abc')
    expect(style('bg="sunset"')).to.equal('background:linear-gradient(135deg,#ff512f,#dd2476)')
    expect(style('bg="linear-gradient(90deg, #fff 0%, #000 100%)"')).to.include('linear-gradient(90deg')
    expect(style('padding="40 10" padding-mobile="8"')).to.equal('--p:40px 10px;--p0:40px 10px;--pm:8px')
    expect(style('radius="lg" opacity="50"')).to.equal('border-radius:16px;opacity:0.5')
    for (const bad of [
      'bg="red;position:fixed"',
      'bg="url(//evil)"',
      'padding="1;2"',
      'opacity="500"',
      'bg="var(--x)"',
      'radius="expression(1)"',
      'bg="__proto__"',
      'bg="constructor"',
    ])
      expect([bad, style(bad)]).to.deep.equal([bad, undefined])
  })

  it('has one main heading, whatever the author wrote', () => {
    const count = (html: string) => html.match(/<h1/g)?.length
    expect(count(bodyOf('<headline>A</headline><headline>B</headline>'))).to.equal(1)
    expect(count(bodyOf('<paragraph>A</paragraph>'))).to.equal(1)
    expect(bodyOf('<subheadline>Before</subheadline><headline>A</headline><subheadline>After</subheadline>')).to.match(
      /<p [^>]*>Before.*<h1 [^>]*>A.*<h2 [^>]*>After/s,
    )
  })

  it('lets nobody out of text and values', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '</title><script>',
        '"><img src=x onerror=alert(1)>',
        "' onload='x",
        '<!--',
        '-->',
        '</style>',
        '&lt;',
        '\u2028',
      ),
    )
    fc.assert(
      fc.property(texts, texts, texts, (title, name, label) => {
        const shown = {
          ...mug,
          name,
          description: label,
          options: [{ value: name, name: label, price: title }],
          preheadline: name,
        }
        const content = {
          title,
          description: name,
          url: `http://x/${encodeURIComponent(label)}`,
          token: label,
          products: [shown],
          bumps: [shown],
        }
        const { html } = render('<product-name/><product-description/><checkout/>', content)
        const plain = render('<product-name/><product-description/><checkout/>', {
          ...{ title: 'T', description: 'D', url: 'http://x/', token: 'K' },
          products: [{ ...mug, preheadline: 'P' }],
          bumps: [{ ...mug, preheadline: 'P' }],
        }).html
        const shape = (text: string) => [...text.matchAll(/<\/?[a-zA-Z!][^\s>]*/g)].map(([tag]) => tag)
        const expected = shape(plain).filter((tag) => tag !== '<meta')
        if (name !== '' && label !== '') expect(shape(html).filter((tag) => tag !== '<meta')).to.deep.equal(expected)
        expect(html).not.to.match(/<script>|onerror=alert\(1\)>/)
      }),
    )
  })

  it('renders any markup without failing, and balances what it opens', () => {
    const names = fc.constantFrom(...ELEMENTS.keys(), 'b', 'i', 'span', 'br')
    const value = fc.string({ maxLength: 12 }).map((text) => text.replaceAll('"', ''))
    const attribute = fc.tuple(
      fc.constantFrom(
        'bg',
        'href',
        'src',
        'id',
        'padding',
        'size',
        'type',
        'label',
        'cols',
        'font',
        'date',
        'time',
        'timezone',
        'title',
      ),
      value,
    )
    const element = fc.letrec((tie) => ({
      node: fc.oneof({ depthSize: 'small' }, fc.string({ maxLength: 8 }), tie('element')),
      element: fc
        .tuple(names, fc.array(attribute, { maxLength: 3 }), fc.array(tie('node'), { maxLength: 3 }))
        .map(([name, attributes, children]) => {
          const written = attributes.map(([key, text]) => ` ${key}="${text}"`).join('')
          return name === 'customhtml'
            ? '<customhtml></customhtml>'
            : `<${name}${written}>${children.join('')}</${name}>`
        }),
    })).element
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        const { html } = render(elements.join(''))
        const VOID = new Set(['meta', 'link', 'input', 'img', 'br', 'hr', '!doctype'])
        const open: string[] = []
        for (const [, slash, name] of html.replace(/<style>.*?<\/style>/gs, '').matchAll(/<(\/?)([a-z!][a-z0-9]*)/g)) {
          if (VOID.has(name!)) continue
          if (slash === '') open.push(name!)
          else expect(open.pop()).to.equal(name)
        }
        expect(open).to.deep.equal([])
      }),
    )
  })

  it('escapes and contains texts', () => {
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapeHtml(text))))
    fc.assert(fc.property(fc.string(), (text) => !/<\/style/i.test(containedCss(`${text}</sTyLe${text}`))))
    fc.assert(fc.property(fc.string(), (text) => /^url\("[^"\\\n<>]*"\)$/.test(cssUrl(text))))
  })

  it('loads from hosts of others only what is allowed', () => {
    const markup = '<headline font="Lobster">A</headline><video src="https://youtu.be/abc"/>'
    const [none, all] = [render(markup), render(markup, {}, ['fonts', 'videos'])]
    expect(none.html)
      .to.include('font-family:&quot;Lobster&quot;')
      .and.not.to.include('googleapis')
      .and.not.to.include('<iframe')
    expect(all.html)
      .to.include('fonts.googleapis.com/css2?family=Lobster')
      .and.to.include('https://www.youtube-nocookie.com/embed/abc')
    expect(all.headers['Content-Security-Policy']).to.include('fonts.gstatic.com').and.to.include('frame-src')
    expect(none.headers['Content-Security-Policy']).not.to.include('google')
  })

  it('15 72: knows the players of providers by their hosts, with time and list', () => {
    const src = (address: string) => playerOf(address)?.src
    expect(src('https://www.youtube.com/watch?v=abc')).to.equal('https://www.youtube-nocookie.com/embed/abc')
    expect(src('https://youtube.com/shorts/abc')).to.equal('https://www.youtube-nocookie.com/embed/abc')
    expect(src('https://vimeo.com/12345')).to.equal('https://player.vimeo.com/video/12345')
    expect(src('https://acme.wistia.com/medias/xyz')).to.equal('https://fast.wistia.net/embed/iframe/xyz')
    for (const [address, player] of [
      ['https://youtu.be/a-b_c?t=1m5s&si=x', 'https://www.youtube-nocookie.com/embed/a-b_c?start=65'],
      [
        'https://m.youtube.com/watch?list=PL1&v=abc&t=90',
        'https://www.youtube-nocookie.com/embed/abc?start=90&list=PL1',
      ],
      ['HTTPS://music.YouTube.com./live/abc?feature=share', 'https://www.youtube-nocookie.com/embed/abc'],
      ['https://www.youtube-nocookie.com/embed/abc?start=5', 'https://www.youtube-nocookie.com/embed/abc?start=5'],
      ['https://youtu.be/abc?t="onload=x&list=<b>', 'https://www.youtube-nocookie.com/embed/abc'],
      [
        'https://player.vimeo.com/video/12345?h=0123abcdef#t=30s',
        'https://player.vimeo.com/video/12345?h=0123abcdef#t=30s',
      ],
      ['https://vimeo.com/12345/0123abcdef', 'https://player.vimeo.com/video/12345?h=0123abcdef'],
      ['https://vimeo.com/channels/staffpicks/12345', 'https://player.vimeo.com/video/12345'],
      ['https://www.loom.com/share/0a1b', 'https://www.loom.com/embed/0a1b'],
    ] as const)
      expect(src(address), address).to.equal(player)
    for (const other of [
      'https://youtube.com@foreign.test/watch?v=a',
      'https://youtube.com.foreign.test/watch?v=a',
      'https://foreign.test/youtube.com/embed/a',
      'https://www.loom.com/login',
      'javascript:"https://youtu.be/a"',
      'https://evilyoutube.com/watch?v=a',
      'https://notwistia.com/medias/x',
      'https://youtube.com/watch?v="><script>',
      'x',
      'ftp://youtu.be/a',
    ])
      expect([other, src(other)]).to.deep.equal([other, undefined])
  })
})
