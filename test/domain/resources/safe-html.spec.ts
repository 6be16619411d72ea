import { expect } from 'chai'
import fc from 'fast-check'
import { mentionsIn } from '../../../domain/communities/mentions.ts'
import { shownImages } from '../../../domain/media/public.ts'
import { safeHtml } from '../../../domain/resources/html/safe-html.ts'
import { plainText } from '../../../domain/resources/plain-text.ts'
import { checkHarmless } from '../../support/check-harmless.ts'
import { harmfulHtml } from '../../support/harmful-html.ts'

const REL = 'rel="ugc nofollow noopener"'
const base = new URL('https://shop.test/c/post')
const KEY = 'k'.repeat(24)

const becomes = (about: string, html: string, expected: string, hooks: Parameters<typeof safeHtml>[1] = {}) =>
  it(`${about}: ${html}`, async () => {
    const safe = await safeHtml(html, hooks)
    expect(safe).to.equal(expected)
    checkHarmless(safe, () => hooks.image !== undefined)
  })

describe('HTML that people wrote', () => {
  describe('15 66: keeps what structures a text', () => {
    for (const html of [
      '<h2>a</h2><p>b <strong>c</strong> <em>d</em><br>e</p>',
      '<ul><li>a<ol start="3"><li>b</li></ol></li></ul>',
      '<table><caption>a</caption><thead><tr><th>b</th></tr></thead><tbody><tr><td colspan="2">c</td></tr></tbody></table>',
      '<blockquote><p>a</p></blockquote><pre><code>\n b\n  c</code></pre><hr>',
      '<dl><dt>a</dt><dd>b</dd></dl><details><summary>c</summary><p>d</p></details>',
      '<p dir="rtl" lang="he" title="a &amp; b">c &lt; d &amp; e "f"</p>',
    ])
      becomes('as it is', html, html)
  })

  describe('15 66: keeps the content of what is not allowed', () => {
    becomes('other elements', '<font color="red">a</font> <x-b>c</x-b>', 'a c')
    becomes('blocks', '<section>a</section><form>b</form>', '<div>a</div><div>b</div>')
    becomes(
      'but not what nobody reads',
      'a<script>b</script><style>c</style><noscript>d</noscript><svg><p>e</svg>f',
      'af',
    )
    becomes('nor comments', 'a<!-- b --><!c><?d?><![CDATA[e]]>f', 'af')
    becomes('attributes', '<p id="a" class="b" name="c" style="d" onclick="e" data-f="g">h</p>', '<p>h</p>')
  })

  describe('15 66: ends what begins in it, in order', () => {
    becomes('misnested', '<b><i>a</b>b</i>', '<b><i>a</i></b>b')
    becomes('left open', '<div><p>a<p>b', '<div><p>a</p><p>b</p></div>')
    becomes('ends alone', '</div></p>a</li>', 'a')
    becomes('items outside a list', '<li>a<dd>b<td>c', 'abc')
    becomes('items', '<ul><li>a<li>b</ul>c', '<ul><li>a</li><li>b</li></ul>c')
    becomes(
      'cells',
      '<table><tr><td><p>a<td>b<tr><th>c</table>',
      '<table><tr><td><p>a</p></td><td>b</td></tr><tr><th>c</th></tr></table>',
    )
    becomes('links in links', '<a>a<div><a>b</div></a>', '<a>a<div></div></a><a>b</a>')
    it('is nested no deeper than browsers lay out', async () => {
      const safe = await safeHtml(`${'<div>'.repeat(10_000)}a`)
      expect(safe).to.equal(`${'<div>'.repeat(64)}a${'</div>'.repeat(64)}`)
    })
  })

  describe('15 67: links lead to web pages and mail alone', () => {
    becomes(
      'web',
      '<a href="HTTPS://a.test/b c?d=1&e=2">x</a>',
      `<a href="https://a.test/b%20c?d=1&amp;e=2" ${REL}>x</a>`,
    )
    becomes('mail', '<a href="MailTo:a@b.test?subject=c">x</a>', `<a href="mailto:a@b.test?subject=c" ${REL}>x</a>`)
    becomes(
      'as browsers read them',
      '<a href=" ht&#9;tps&colon;//a.te\nst">x</a>',
      `<a href="https://a.test/" ${REL}>x</a>`,
    )
    becomes(
      'below the address of the page',
      '<a href="../d?e#f">x</a>',
      `<a href="https://shop.test/d?e#f" ${REL}>x</a>`,
      { base },
    )
    becomes('relative ones without it', '<a href="/d">x</a>', '<a>x</a>')
    becomes('others', '<a href="ja&Tab;vascript&colon;xss()" rel="opener" target="_top">x</a>', '<a>x</a>', { base })
    becomes('the first of two', '<a href="tel:1" href="https://a.test">x</a>', '<a>x</a>')
    it('too long', async () =>
      expect(await safeHtml(`<a href="https://a.test/${'a'.repeat(4000)}">x</a>`)).to.equal('<a>x</a>'))
  })

  describe('15 69: images of other hosts are links', () => {
    const hooks = { base, image: shownImages({ origins: ['https://shop.test', 'http://api.test:1'], foreign: false }) }
    const link = `<a href="https://foreign.test/a.png" ${REL}>`
    becomes('other hosts', '<img src="//foreign.test/a.png" alt="A dog">', `${link}A dog</a>`, hooks)
    becomes('without a text', '<img src="https://foreign.test/a.png">', `${link}Image</a>`, hooks)
    becomes(
      'in a link',
      '<a href="https://a.test/"><img src="https://foreign.test/a.png" alt="A dog"></a>',
      `<a href="https://a.test/" ${REL}>A dog</a>`,
      hooks,
    )
    becomes(
      'unless the operator allows them',
      '<img src="https://foreign.test/a.png" width="9" height="1e3">',
      '<img src="https://foreign.test/a.png" width="9">',
      { image: shownImages({ origins: [], foreign: true }) },
    )
    for (const src of [
      `/images/7/${KEY}/large`,
      `https://shop.test/images/7/${KEY}/large`,
      `http://api.test:1/images/7/${KEY}/large`,
    ])
      becomes('own ones stay', `<img src="${src}" alt="">`, `<img src="/images/7/${KEY}/large" alt="">`, hooks)
    becomes(
      'other paths of the own host',
      '<img src="/sign-out" alt="x">',
      `<a href="https://shop.test/sign-out" ${REL}>x</a>`,
      hooks,
    )
    becomes(
      'own path, other host',
      `<img src="https://foreign.test/images/7/${KEY}" alt="x">`,
      `<a href="https://foreign.test/images/7/${KEY}" ${REL}>x</a>`,
      hooks,
    )
    becomes('what is in the address itself', '<img src="data:image/gif;base64,R0lGODlh" alt="x">', 'x', hooks)
  })

  describe('15 66: mentions are filled in first', () => {
    const hooks = { mention: (id: string) => (id === '5' ? ' Ana <b>&amp; ' : undefined) }
    becomes(
      'by reference',
      '<p><span data-mention="5" onclick="x">@Old name</span>!</p>',
      '<p><strong>@Ana &lt;b&gt;&amp;amp;</strong>!</p>',
      hooks,
    )
    becomes(
      'who has gone',
      '<a data-mention="6" href="https://a.test">@Old</a>',
      '<strong>@former member</strong>',
      hooks,
    )
    it('are found, and are the same in plain text', () => {
      const html =
        '<span data-mention="5"><span>a</span></span><a DATA-MENTION=\'1&#49;\'>b</a><span data-mention=5></span><!--<span data-mention=9>-->'
      expect(mentionsIn(html)).to.deep.equal([5, 11])
      expect(plainText(`<p>${html}</p>`, hooks)).to.equal('@Ana <b>&amp;@former member@Ana <b>&amp;')
    })
  })
})

describe('HTML that does harm', () => {
  it('15 66 67: is known in many forms', () => {
    expect(new Set(harmfulHtml.map(({ html }) => html)).size).to.be.greaterThan(150)
  })
  for (const { kind, html } of harmfulHtml)
    it(`15 66 67: does none, ${kind}: ${JSON.stringify(html)}`, async () => {
      for (const whole of [html, `<p>a<b>${html}`, `<ul><li>${html}</ul>`, `<table><tr><td>${html}</table>`]) {
        const safe = await safeHtml(whole, { base })
        checkHarmless(safe)
        expect(await safeHtml(safe, { base })).to.equal(safe)
      }
    })

  const fragment = fc.oneof(
    fc.constantFrom(...harmfulHtml.map(({ html }) => html)),
    fc.constantFrom(
      ...'<ul> <li> </ul> <table> <tr> <td> </table> <p> </p> <a> </a> <b> </b> <div> </div> <h1> <dl> <dt> <svg> </svg> <style> </style> <!-- --> " \' = > <'.split(
        ' ',
      ),
    ),
    fc.string({ maxLength: 5 }),
  )
  const mixed = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''))

  it('15 66: does none in any mixture, and is the same when it is made safe twice', () =>
    fc.assert(
      fc.asyncProperty(mixed, async (html) => {
        const safe = await safeHtml(html, { base })
        checkHarmless(safe)
        expect(await safeHtml(safe, { base })).to.equal(safe)
      }),
      { numRuns: 1000 },
    ))

  it('15 70: has the same text as what is made of it', () =>
    fc.assert(
      fc.asyncProperty(mixed, async (html) => {
        const words = (text: string) => plainText(text).replace(/[\s\0]+/g, '')
        const source = html.replace(/<img/gi, '<b')
        expect(words(await safeHtml(source, { base }))).to.equal(words(source))
      }),
      { numRuns: 500 },
    ))
})
