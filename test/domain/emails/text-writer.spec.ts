import { expect } from 'chai'
import { readMail } from '../../../domain/emails/composing/mail-reader.ts'

const textOf = (html: string): string => readMail(html).text

/** What HTML becomes, by hand. */
const TEXTS: readonly (readonly [html: string, text: string])[] = [
  ['Hello <b>Ada</b>,<br>how are you?', 'Hello Ada,\nhow are you?'],
  ['  a \n\t b  ', 'a b'],
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['<div>One</div><div>Two</div>', 'One\nTwo'],
  ['<h1>Mugs</h1>New ones', 'Mugs\n\nNew ones'],
  ['a<br><br><br><br><br>b', 'a\n\n\nb'],
  ['a<hr>b', 'a\n---\nb'],
  ['<ul><li>One<li>Two</ul>', '* One\n* Two'],
  ['<ol><li>One<li>Two</ol>', '1. One\n2. Two'],
  ['<ol><li>One<ul><li>Inner</ul><li>Two</ol>', '1. One\n\n* Inner\n\n2. Two'],
  ['<blockquote>Said<br>so</blockquote>', '> Said\n> so'],
  ['<pre>a  b\n c</pre>', 'a  b\n c'],
  ['<a href="https://a.example/x">Here</a>', 'Here <https://a.example/x>'],
  ['<a href="https://a.example/x">https://a.example/x</a>', 'https://a.example/x'],
  ['<a href="mailto:a@b.example">Write</a>', 'Write <a@b.example>'],
  ['<a href="#top">Up</a>', 'Up'],
  ['<a href="https://a.example/?a=1&amp;b=2">Here</a>', 'Here <https://a.example/?a=1&b=2>'],
  ['<table><tr><td>Mug</td><td>2</td></tr><tr><td>Bowl</td><td>1</td></tr></table>', 'Mug  2\nBowl  1'],
  ['<table><tr><td colspan="1e9">Wide</td><td>x</td></tr></table>', 'Wide  x'],
  ['a<!-- b -->c<style>p{}</style><script>d()</script>e', 'ace'],
  ['<title>Not this</title><p>This</p>', 'This'],
  ['Tom &amp; Ann &lt;3 &#8364;', 'Tom & Ann <3 €'],
  ['', ''],
]

describe('The text part of a mail', () => {
  for (const [html, text] of TEXTS) it(`of ${JSON.stringify(html)}`, () => expect(textOf(html)).to.equal(text))

  it('is no longer than what it is made of, and some marks', () => {
    const parts = [
      '<td>',
      '<tr>',
      '<table>',
      '<li>',
      '<ol>',
      '<blockquote>',
      '<pre>',
      '<br>',
      '<hr>',
      '<p>',
      'x',
      '\n',
      '</p>',
    ]
    for (let seed = 1; seed < 2000; seed++) {
      let html = ''
      for (let n = seed; n > 0; n = Math.floor(n / parts.length)) html += parts[n % parts.length]
      html = html.repeat(50)
      expect(textOf(html).length, html.slice(0, 60)).to.be.at.most(html.length + 2000)
    }
  })
})
