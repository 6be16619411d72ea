import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { coursesOf } from '../../support/courses.ts'
import { harmfulHtml } from '../../support/harmful-html.ts'
import { memberCommunity } from '../../support/member-communities.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const KEY = 'k'.repeat(24)
const REL = 'rel="ugc nofollow noopener"'
const BODY = `<p onclick="xss()">Raku <a href="java&Tab;script:xss()">a</a> <a href="/b">b</a></p>
<img src="https://foreign.test/kiln.png" alt="A kiln"><img src="/images/7/${KEY}" alt="A mug"><script>xss()</script>`
const MARKDOWN = `# Raku

<b onclick="xss()">Fire</b> ![A kiln](https://foreign.test/kiln.png) ![A mug](/images/7/${KEY}) <script>xss()</script>

https://youtu.be/abc?t=9

<video src="https://videos.test/kiln.mp4"/>`

/** Shows a member a post with a comment and videos, and a lesson. @returns both pages, and their host */
const shown = async (service: TestService) => {
  const tenant = await service.tenant({ test: true })
  const on = await memberCommunity(service, tenant)
  const { id: contactId, browser } = await on.member('ada')
  const { id: post } = ok(
    await tenant.api.post(`/communities/spaces/${on.space}/posts`, {
      communities_spaces_post: { title: 'Raku', body: BODY },
    }),
  )
  const body = harmfulHtml
    .flatMap(({ html }) => (/data-mention|\0/.test(html) ? [] : [`<div>${html}</div>`]))
    .join('\n')
  ok(
    await tenant.api.post(`/communities/spaces/posts/${post}/comments`, { communities_spaces_posts_comment: { body } }),
  )
  for (const url of ['https://youtu.be/abc?t=9', 'https://videos.test/abc'])
    ok(
      await tenant.api.post(`/communities/spaces/posts/${post}/video_embeds`, {
        communities_spaces_posts_video_embed: { url },
      }),
    )
  const make = coursesOf(tenant)
  const course = await make.course()
  const section = await make.section(course.id)
  const lesson = await make.lesson(section.id, { title: 'Raku', lesson_content: MARKDOWN })
  await make.publish(course.id)
  ok(await make.enroll(course.id, contactId))
  await service.caughtUp()
  const pages = [
    await browser.get(`/members/posts/${post}`),
    await browser.get(`/members/lessons/${lesson.id}`),
  ] as const
  return { pages, host: browser.host }
}

describe('texts of people on the members’ side', () => {
  it('15 66 67 69 72: are harmless, load images of the service alone, and lead to those of others and to videos', async () => {
    const service = await startTestService()
    const { pages, host } = await shown(service)
    for (const { status, text, headers } of pages) {
      expect(status).to.equal(200)
      expect(text)
        .to.contain(`<a href="https://foreign.test/kiln.png" ${REL}>A kiln</a>`)
        .and.contain(`<img src="/images/7/${KEY}" alt="A mug">`)
        .and.not.match(
          /<script|<svg|<[a-z]+[^>]*\s(?:on\w+|style|id="document")=|href="(?!https?:|mailto:|\/|#)|<iframe/,
        )
      expect(headers['content-security-policy']).to.contain("img-src 'self';").and.not.contain('frame-src')
    }
    const [post, lesson] = pages
    expect(post.text).to.match(new RegExp(`<p>Raku <a>a</a> <a href="http://${host}(?::\\d+)?/b" ${REL}>b</a></p>`))
    expect(post.text)
      .to.contain(`<a href="https://youtu.be/abc?t=9" ${REL}>`)
      .and.contain(`<a href="https://videos.test/abc" ${REL}>`)
    expect(lesson.text).to.contain('<h1>Raku</h1>').and.contain('<b>Fire</b>')
    for (const address of ['https://youtu.be/abc?t=9', 'https://videos.test/kiln.mp4'])
      expect(lesson.text).to.contain(`<a href="${address}" ${REL}>Video: `)
  })

  it('15 69 72: load images of other hosts and frame known players, where the operator allows it', async () => {
    const service = await startTestService({ MILLRACE_THIRD_PARTY: 'images,videos' })
    const { pages } = await shown(service)
    for (const { text, headers } of pages) {
      expect(text).to.contain('<iframe src="https://www.youtube-nocookie.com/embed/abc?start=9"')
      expect(headers['content-security-policy']).to.contain('frame-src https://www.youtube-nocookie.com;')
      expect(text).to.contain('<img src="https://foreign.test/kiln.png" alt="A kiln">')
      expect(headers['content-security-policy']).to.contain("img-src 'self' https: http:;")
    }
    const [post, lesson] = pages
    expect(post.text)
      .to.contain(`<a href="https://videos.test/abc" ${REL}>`)
      .and.not.contain('<iframe src="https://videos.test')
    expect(lesson.text).to.contain('<video src="https://videos.test/kiln.mp4"')
    expect(lesson.headers['content-security-policy']).to.contain('media-src https://videos.test;')
  })
})
