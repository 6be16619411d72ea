import { ok } from '../../test/support/client.ts'
import { coursesOf } from '../../test/support/courses.ts'
import { BROWSER } from '../../test/support/hosts.ts'
import { memberCommunity } from '../../test/support/member-communities.ts'
import type { Tenant, TestService } from '../../test/support/service.ts'

/** A request to the public listener, as a member's browser sends it. */
export interface PageRequest {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const MOST = 900_000

/** What long texts consist of, as HTML and as Markdown. */
const PIECES: readonly string[] = [
  'x',
  'x          ',
  '<b>x',
  '<p a=b c=d e>',
  '<p>x</p>\n',
  '&amp;',
  '<a href="https://a.example/b">x</a> ',
  '<img src="https://a.example/b.png" alt="x">',
  '<span data-mention="1"></span>',
  '*a ',
  '- a\n',
  '[a](b) ',
]

const markupOf = (block: string, count: number): string =>
  `<section><row><column>${block.repeat(count)}</column></row></section>`

/** Pages of long markup. */
const MARKUPS: Readonly<Record<string, string>> = {
  'a long paragraph': markupOf(`<paragraph>${'x '.repeat(MOST / 2)}</paragraph>`, 1),
  'many paragraphs': markupOf('<paragraph>x</paragraph>', 4000),
  'many links': markupOf('<link href="https://a.example/b">x</link>', 2000),
  'many images': markupOf('<image src="https://a.example/b.png"></image>', 4000),
  'own HTML': markupOf(`<customhtml>${'<p a=b>x</p>'.repeat(MOST / 12)}</customhtml>`, 1),
  'an own document': `<customhtml><html><head></head><body>${'<p a=b>x</p>'.repeat(MOST / 12)}</body></html></customhtml>`,
}

/** Writes long texts, one at a time, and yields the pages that show them. */
export const longPages = async function* (service: TestService, tenant: Tenant): AsyncGenerator<PageRequest> {
  const { api, workspaceId } = tenant
  const on = await memberCommunity(service, tenant)
  const { id, browser } = await on.member('ada')
  const { host, cookies } = browser
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { host, cookie, 'user-agent': BROWSER }
  const posts = `/communities/spaces/${on.space}/posts`
  const post = ok(await api.post(posts, { communities_spaces_post: { title: 'Raku', contact_id: id } })).id
  const commented = ok(await api.post(posts, { communities_spaces_post: { title: 'Slip' } })).id
  const comments = `/communities/spaces/posts/${commented}/comments`
  const comment = ok(await api.post(comments, { communities_spaces_posts_comment: { body: 'x', contact_id: id } })).id
  const make = coursesOf(tenant)
  const course = await make.course()
  const lesson = await make.lesson((await make.section(course.id)).id, { title: 'Raku' })
  await make.publish(course.id)
  ok(await make.enroll(course.id, id))
  for (const piece of PIECES) {
    const mentioned = piece.replace('"1"', `"${id}"`)
    const text = mentioned.repeat(MOST / (JSON.stringify(mentioned).length - 2))
    ok(await api.put(`/communities/spaces/posts/${post}`, { communities_spaces_post: { body: text } }))
    ok(
      await api.put(`/communities/spaces/posts/comments/${comment}`, {
        communities_spaces_posts_comment: { body: text },
      }),
    )
    ok(await api.put(`/courses/lessons/${lesson.id}`, { courses_lesson: { lesson_content: text } }))
    await service.caughtUp()
    for (const [what, path] of [
      ['post', `/members/posts/${post}`],
      ['form of a post', `/members/posts/${post}/edit`],
      ['space', `/members/spaces/${on.space}`],
      ['comment', `/members/posts/${commented}`],
      ['lesson', `/members/lessons/${lesson.id}`],
    ] as const)
      yield { name: `page of a ${what}: ${JSON.stringify(piece)}`, path, headers }
  }
  const page = ok(await api.post(`/workspaces/${workspaceId}/pages`, { page: { name: 'Long' } }))
  const blog = ok(await api.get(`/workspaces/${workspaceId}/blogs`))[0].id
  const written = ok(await api.post(`/blogs/${blog}/posts`, { blogs_post: { title: 'Long', visibility: 'public' } }))
  for (const [what, markup] of Object.entries(MARKUPS)) {
    const { status, body } = await api.put(`/pages/${page.id}`, { page: { markup } })
    if (status < 300) yield { name: `hosted page: ${what}`, path: String(body.current_path), headers }
    const taken = await api.put(`/blogs/posts/${written.id}`, { blogs_post: { markup } })
    if (taken.status < 300 && taken.body.url)
      yield { name: `post of a blog: ${what}`, path: new URL(taken.body.url).pathname, headers }
    if (taken.status < 300) yield { name: `feed of a blog: ${what}`, path: '/blog/feed', headers }
  }
}
