import { expect } from 'chai'
import { lessonHtml } from '../../../domain/resources/html/lesson-html.ts'
import { renderMarkdown } from '../../../infra/markdown/render.ts'
import { harmfulHtml } from '../../support/harmful-html.ts'

const REL = 'rel="ugc nofollow noopener"'
const base = new URL('https://shop.test/members/lessons/1')

/** Shows addresses of one host in a player, and of one as files. */
const video = ({ hostname, pathname, href }: URL) =>
  hostname === 'play.test'
    ? { player: `https://player.test${pathname}`, label: 'P', isKnown: true }
    : hostname === 'link.test'
      ? { label: 'L', isKnown: true }
      : { file: href, label: 'F', isKnown: false }
const made = (markdown: string) => lessonHtml(markdown, async (text) => renderMarkdown(text), { base, video })

const PLAYER =
  '<iframe src="https://player.test/1" title="P" loading="lazy" allow="fullscreen; picture-in-picture" allowfullscreen sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" referrerpolicy="strict-origin"></iframe>'
const FILE = '<video src="https://f.test/a.mp4" title="F" controls></video>'
const AT = 'https://play.test/1'
const LINK = `<a href="${AT}" ${REL}>`

describe('videos in lessons', () => {
  for (const [about, markdown, expected] of [
    ['a line of its own', AT, `<p>${PLAYER}</p>\n`],
    ['with a query', `${AT}?a=1&b=2`, `<p>${PLAYER}</p>\n`],
    ['a line among others', `Look:\n${AT}\n_so_`, `<p>Look:\n${PLAYER}\n<em>so</em></p>\n`],
    ['a line behind others', `_Look_:\n${AT}`, `<p><em>Look</em>:\n${PLAYER}</p>\n`],
    ['a line behind a break', `Look:  \n${AT}`, `<p>Look:<br>\n${PLAYER}</p>\n`],
    ['an item', `- ${AT}\n- b`, `<ul>\n<li>${PLAYER}</li>\n<li>b</li>\n</ul>\n`],
    ['in angle brackets', `<${AT}>`, `<p>${PLAYER}</p>\n`],
    ['as an image', `![Kiln](${AT})`, `<p>${PLAYER.replace('"P"', '"Kiln"')}</p>\n`],
    ['where there is no player', 'https://link.test/1', `<p><a href="https://link.test/1" ${REL}>L</a></p>\n`],
    ['not within a line', `See ${AT}`, `<p>See ${AT}</p>\n`],
    ['not before a word', `<${AT}> b`, `<p>${LINK}${AT}</a> b</p>\n`],
    ['not two addresses', `${AT} ${AT}`, `<p>${AT} ${AT}</p>\n`],
    ['not under a name', `[Kiln](${AT})`, `<p>${LINK}Kiln</a></p>\n`],
    ['not in code', `\`\`\`\n${AT}\n\`\`\``, `<pre><code>${AT}\n</code></pre>\n`],
    ['not of another host', 'https://f.test/a.mp4', '<p>https://f.test/a.mp4</p>\n'],
    ['the element of the editor', `<video src="${AT}"/>\n\nb`, `${PLAYER}\n<p>b</p>\n`],
    ['an element with its end', `<video src="https://f.test/a.mp4">c</video>\n\nb`, `<p>${FILE}</p>\n<p>b</p>\n`],
    ['its sources', '<video><source src="https://f.test/a.mp4"><source src="/b"></video>', `<p>${FILE}</p>\n`],
    ['an embedded player', `<iframe src="${AT}" onload="xss()"></iframe>`, PLAYER],
    ['but no other page', '<iframe src="https://f.test/"></iframe>', ''],
    ['nor what is none', '<video src="javascript:xss()"></video>', '<p></p>\n'],
    ['in a link', `<a href="/b"><video src="${AT}"/></a>`, `<p><a href="https://shop.test/b" ${REL}>P</a></p>\n`],
  ] as const)
    it(`${about}: ${markdown}`, async () => expect(await made(markdown)).to.equal(expected))

  it('embed nothing but videos, whatever is written', async () => {
    for (const { html } of harmfulHtml) {
      const safe = await made(html)
      for (const [, name, source] of safe.matchAll(/<(iframe|video) src="([^"]*)"/g))
        expect(source, safe).to.match(name === 'iframe' ? /^https:\/\/player\.test\// : /^https?:\/\//)
      expect(safe).not.to.match(/<(?:script|object|embed)|<(?:iframe|video)(?! src=)/i)
    }
  })
})
