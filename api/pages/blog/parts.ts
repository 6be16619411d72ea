import { dateOf } from '../../../domain/blogs/post/model.ts'
import { fullName } from '../../../domain/blogs/public.ts'
import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { attributes } from '../rendering/escape.ts'
import type { Reading } from '../site.ts'
import { type OpenBlog, type Post, urlAt } from './listing.ts'

/** Author, tag or category as pages show it. */
export interface Part {
  readonly name: string
  readonly path: string
}

/** What belongs to a post, as pages and the feed show it. */
export interface PostParts {
  readonly authors: readonly Part[]
  readonly tags: readonly Part[]
  readonly categories: readonly Part[]
}

/** Returns the authors, tags and categories of a post. Authors without a name are left out: nobody sees an address. */
export const partsOf = async ({ author_ids, tag_ids, category_ids }: Post, { load }: Reading): Promise<PostParts> => {
  const named = async (collection: string, ids: readonly number[]): Promise<readonly Part[]> =>
    (await load.many(collection, ids)).map(({ name, current_path }) => ({
      name: String(name),
      path: String(current_path),
    }))
  const authors = await load.many('blogs/author', author_ids)
  return {
    authors: authors.flatMap(({ first_name, last_name, current_path }) => {
      const name = fullName({ first_name: textOf(first_name), last_name: textOf(last_name) })
      return name === null ? [] : [{ name, path: String(current_path) }]
    }),
    tags: await named('blogs/tag', tag_ids),
    categories: await named('blogs/category', category_ids),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns a path of a blog as browsers send it. */
export const sent = (open: OpenBlog, path: string): string => urlAt(open, path).pathname

const linkTo = (open: OpenBlog, { name, path }: Part): string =>
  `<a${attributes({ href: sent(open, path) })}>${escapeHtml(name)}</a>`

/** Wraps HTML in the layout of a page's own text. */
export const block = (tag: 'header' | 'footer' | 'div', html: string): string =>
  `<${tag} class="section"><div class="row one"><div class="column">${html}</div></div></${tag}>`

const paragraph = (html: string): string => (html === '' ? '' : `<p class="text body">${html}</p>`)

/** Returns the written excerpt of a post; empty without one. */
export const excerptOf = ({ excerpt_content }: Post): string => excerpt_content?.trim() ?? ''

const byline = (open: OpenBlog, one: Post, { authors }: PostParts, zone: string): string => {
  const date = dateOf(one) ?? one.created_at
  const written = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: zone }).format(new Date(date))
  const time = `<time${attributes({ datetime: date })}>${escapeHtml(written)}</time>`
  const by = authors.map((author) => linkTo(open, author)).join(', ')
  return paragraph(by === '' ? time : `${time} · ${by}`)
}

const FOR_MEMBERS = paragraph('This post is for members.')

/** Link by which members sign in, and come back to a post. */
const signInFor = (open: OpenBlog, { current_path }: Post): string => {
  const href = `/members/sign-in?${new URLSearchParams({ to: sent(open, current_path) })}`
  return `<a${attributes({ href, rel: 'nofollow' })}>Sign in to read it</a>`
}

/** Head of a post: title, date, authors and picture. Of one for members no more is shown than its title and what was written as its excerpt. */
export const postHead = (
  open: OpenBlog,
  one: Post,
  { parts, zone, image }: { readonly parts: PostParts; readonly zone: string; readonly image: string | undefined },
): string => {
  const title = `<h1 class="text">${escapeHtml(one.title)}</h1>${byline(open, one, parts, zone)}`
  if (one.visibility === 'members_only')
    return block(
      'header',
      title + paragraph(escapeHtml(excerptOf(one))) + FOR_MEMBERS + paragraph(signInFor(open, one)),
    )
  return block('header', title + (image ? `<img${attributes({ src: image, alt: '' })}>` : ''))
}

/** Foot of a post: its categories and tags, and the way back. */
export const postFoot = (open: OpenBlog, { categories, tags }: PostParts): string => {
  const under = [...categories, ...tags].map((part) => linkTo(open, part)).join(', ')
  const { name, current_path: path } = open.blog
  return block('footer', paragraph(under) + paragraph(linkTo(open, { name, path })))
}

/** One post in a list. */
const listed = (open: OpenBlog, one: Post, parts: PostParts, zone: string): string => {
  const title = `<h2 class="text">${linkTo(open, { name: one.title, path: one.current_path })}</h2>`
  const members = one.visibility === 'members_only' ? FOR_MEMBERS : ''
  return `<article>${title}${byline(open, one, parts, zone)}${paragraph(escapeHtml(excerptOf(one)))}${members}</article>`
}

/** List of posts with its heading, and a link to those that are older. */
export const listHtml = (
  open: OpenBlog,
  posts: readonly { readonly post: Post; readonly parts: PostParts }[],
  { heading, zone, older }: { readonly heading: string; readonly zone: string; readonly older: string | undefined },
): string => {
  const all = posts.map(({ post, parts }) => listed(open, post, parts, zone)).join('')
  const more =
    older === undefined ? '' : paragraph(`<a${attributes({ href: sent(open, older), rel: 'next' })}>Older posts</a>`)
  const none = posts.length === 0 ? paragraph('There are no posts yet.') : ''
  return block('header', `<h1 class="text">${escapeHtml(heading)}</h1>`) + block('div', all + none + more)
}
