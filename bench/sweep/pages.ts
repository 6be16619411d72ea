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
  renew(): Promise<unknown>
}

const MOST = 900_000
/** Posts of a feed. */
const PAGE = 20

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

const markupOf = (id: number, block: string, count: number): string =>
  `<section id="s${id}"><row><column>${block.repeat(count)}</column></row></section>`

/** Pages of long markup. A number makes each another one. */
const MARKUPS: Readonly<Record<string, (id: number) => string>> = {
  'a long paragraph': (id) => markupOf(id, `<paragraph>${'x '.repeat(MOST / 2)}</paragraph>`, 1),
  'a long paragraph of &': (id) => markupOf(id, `<paragraph>${'& '.repeat(MOST / 2)}</paragraph>`, 1),
  'many paragraphs': (id) => markupOf(id, '<paragraph>x</paragraph>', 4900),
  'many long paragraphs': (id) => markupOf(id, `<paragraph>${'x & '.repeat(45)}</paragraph>`, 4900),
  'many links': (id) => markupOf(id, '<link href="https://a.example/b">x</link>', 3300),
  'many images': (id) => markupOf(id, '<image src="/b.png"/>', 4900),
  'many countdowns': (id) => markupOf(id, '<countdown date="2030-01-01" timezone="Europe/Berlin"/>', 3300),
  'many checkouts': (id) => markupOf(id, '<checkout/>', 9900),
  'own HTML': (id) => markupOf(id, `<customhtml>${'<p a=b>x</p>'.repeat(MOST / 12)}</customhtml>`, 1),
  'an own document': (id) =>
    `<customhtml><html><head></head><body id="s${id}">${'<p a=b>x</p>'.repeat(MOST / 12)}</body></html></customhtml>`,
}

const memberPages = async function* (service: TestService, tenant: Tenant): AsyncGenerator<PageRequest> {
  const { api } = tenant
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
  const postOf = (body: string) => api.put(`/communities/spaces/posts/${post}`, { communities_spaces_post: { body } })
  const commentOf = (body: string) =>
    api.put(`/communities/spaces/posts/comments/${comment}`, { communities_spaces_posts_comment: { body } })
  const lessonOf = (lesson_content: string) =>
    api.put(`/courses/lessons/${lesson.id}`, { courses_lesson: { lesson_content } })
  let written = 0
  for (const piece of PIECES) {
    const mentioned = piece.replace('"1"', `"${id}"`)
    const text = mentioned.repeat(MOST / (JSON.stringify(mentioned).length - 2))
    for (const [what, path, write] of [
      ['post', `/members/posts/${post}`, postOf],
      ['form of a post', `/members/posts/${post}/edit`, postOf],
      ['space', `/members/spaces/${on.space}`, postOf],
      ['comment', `/members/posts/${commented}`, commentOf],
      ['lesson', `/members/lessons/${lesson.id}`, lessonOf],
    ] as const) {
      const renew = async () => ok(await write(`${text}${++written}`))
      yield { name: `page of a ${what}: ${JSON.stringify(piece)}`, path, headers, renew }
    }
  }
}

const hostedPages = async function* (tenant: Tenant): AsyncGenerator<PageRequest> {
  const { api, workspaceId } = tenant
  const page = ok(await api.post(`/workspaces/${workspaceId}/pages`, { page: { name: 'Long' } }))
  const blog = ok(await api.get(`/workspaces/${workspaceId}/blogs`))[0].id
  const posts = `/blogs/${blog}/posts`
  const post = ok(await api.post(posts, { blogs_post: { title: 'Long', visibility: 'public' } }))
  const headers = { host: new URL(post.url).host, 'user-agent': BROWSER }
  const preview = new URL(ok(await api.get(`/blogs/posts/${post.id}/preview`)).url)
  let written = 0
  for (const [what, markup] of Object.entries(MARKUPS)) {
    const ofPage = async () => ok(await api.put(`/pages/${page.id}`, { page: { markup: markup(++written) } }))
    const ofPost = async () =>
      ok(await api.put(`/blogs/posts/${post.id}`, { blogs_post: { markup: markup(++written) } }))
    yield { name: `hosted page: ${what}`, path: String(page.current_path), headers, renew: ofPage }
    yield { name: `post of a blog: ${what}`, path: new URL(post.url).pathname, headers, renew: ofPost }
    yield { name: `preview of a post: ${what}`, path: preview.pathname + preview.search, headers, renew: ofPost }
    yield { name: `feed of a blog: ${what}`, path: '/blog/feed', headers, renew: ofPost }
  }
  const longest = MARKUPS['many long paragraphs']!
  for (let made = 1; made < PAGE; made++) {
    const blogs_post = { title: `Long ${made}`, visibility: 'public', markup: longest(made) }
    ok(await api.post(posts, { blogs_post }))
  }
  const renew = async () => ok(await api.put(`/blogs/posts/${post.id}`, { blogs_post: { markup: longest(++written) } }))
  for (const path of ['/blog/feed', '/blog', '/sitemap.xml'])
    yield { name: `${path}: ${PAGE} long posts`, path, headers, renew }
}

/** Yields the pages that show long texts, and how each is written anew, so that it is shown for the first time. */
export const longPages = async function* (service: TestService, tenant: Tenant): AsyncGenerator<PageRequest> {
  yield* memberPages(service, tenant)
  yield* hostedPages(tenant)
}
