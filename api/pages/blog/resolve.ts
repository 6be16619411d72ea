import { dateOf } from '../../../domain/blogs/post/model.ts'
import { fullName } from '../../../domain/blogs/public.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { IMAGES } from '../../../domain/media/public.ts'
import type { Outcome } from '../outcome.ts'
import type { Reading, Site } from '../site.ts'
import { feedOf } from './feed.ts'
import {
  type Among,
  atPath,
  blogOf,
  nextDue,
  type OpenBlog,
  type Post,
  placeOf,
  postsAmong,
  urlAt,
  visiblePost,
} from './listing.ts'
import { type Shown, showInBlog, zoneOf } from './page.ts'
import { excerptOf, listHtml, partsOf, postFoot, postHead } from './parts.ts'

export const POSTS_PER_PAGE = 10

/** Returns where an image is served on the host of a blog. */
const pictureAt = async (id: number | null, open: OpenBlog, { load }: Reading): Promise<URL | undefined> => {
  const image = await load.one('image', id)
  return image && urlAt(open, `${IMAGES}${image.id}/${image.key}`)
}

/** List of posts at a path. */
interface PostList {
  readonly among: Among
  readonly path: string
  readonly heading: string
  readonly shown: Pick<Shown, 'kind' | 'title' | 'description' | 'image'>
}

/** Shows a list of posts. @param behind id of the post behind which it goes on; `undefined` for its beginning */
const showList = async (
  open: OpenBlog,
  { among, path, heading, shown }: PostList,
  behind: number | undefined,
  reading: Reading,
): Promise<Outcome | undefined> => {
  const last = behind === undefined ? undefined : await reading.load.one('blogs/post', behind)
  if (behind !== undefined && typeof last?.shown_at !== 'string') return undefined
  const after = last && { id: Number(last.id), value: String(last.shown_at) }
  const found = await postsAmong(among, open, reading, { limit: POSTS_PER_PAGE + 1, after })
  if (behind !== undefined && found.length === 0) return undefined
  const posts = await Promise.all(
    found.slice(0, POSTS_PER_PAGE).map(async (post) => ({ post, parts: await partsOf(post, reading) })),
  )
  const older = found.length > POSTS_PER_PAGE ? `${path}/page/${placeOf(found[POSTS_PER_PAGE - 1]!).id}` : undefined
  const before = listHtml(open, posts, { heading, zone: await zoneOf(open, reading), older })
  const at = behind === undefined ? path : `${path}/page/${behind}`
  const isIndexed = behind === undefined && posts.length > 0
  const until = await nextDue(open, reading)
  return showInBlog(open, { ...shown, path: at, isIndexed, before, after: '', until }, reading)
}

/**
 * Shows a post. Of one for members, strangers see nothing that follows from its body. Members see all of it, and a preview is of all that readers will see at
 * most.
 */
export const showPost = async (open: OpenBlog, found: Post, reading: Reading, isPreview = false): Promise<Outcome> => {
  const isForMember = found.visibility === 'members_only' && reading.isForMember === true
  const one: Post = isPreview || isForMember ? { ...found, visibility: 'public' } : found
  const isOpen = one.visibility !== 'members_only'
  const parts = await partsOf(one, reading)
  const image = isOpen ? await pictureAt(one.image_id, open, reading) : undefined
  const excerpt = excerptOf(one)
  const shown: Shown = {
    kind: 'post',
    path: one.current_path,
    title: (isOpen && one.seo_title) || one.title,
    description: (isOpen && one.seo_description) || excerpt || null,
    isIndexed: !isPreview,
    isPreview,
    isForMember,
    image: image?.href,
    published: dateOf(one) ?? undefined,
    body: isOpen ? one : undefined,
    before: postHead(open, one, { parts, zone: await zoneOf(open, reading), image: image?.pathname }),
    after: postFoot(open, parts),
  }
  return showInBlog(open, shown, reading)
}

const nameOf = ({ first_name, last_name, name }: Document): string | null =>
  typeof name === 'string'
    ? name
    : fullName({
        first_name: typeof first_name === 'string' ? first_name : null,
        last_name: typeof last_name === 'string' ? last_name : null,
      })

/** Lists below the path of a blog, by their first word. */
const LISTS = {
  author: { collection: 'blogs/author', field: 'shown_by', kind: 'index' },
  tag: { collection: 'blogs/tag', field: 'shown_under', kind: 'index' },
  category: { collection: 'blogs/category', field: 'shown_within', kind: 'category' },
} as const

const isList = (word: string): word is keyof typeof LISTS => Object.hasOwn(LISTS, word)

/** Returns the list at a path: that of the blog itself, or of one of its authors, tags or categories. */
const listAt = async (open: OpenBlog, path: string, reading: Reading): Promise<PostList | undefined> => {
  const { name, seo_title, seo_description, seo_image_id, current_path, id } = open.blog
  if (path === current_path) {
    const image = (await pictureAt(seo_image_id, open, reading))?.href
    const shown = { kind: 'index' as const, title: seo_title || name, description: seo_description, image }
    return { among: { shown_in: id }, path, heading: name, shown }
  }
  const [word = ''] = path.slice(current_path.length + 1).split('/')
  if (!isList(word)) return undefined
  const { collection, field, kind } = LISTS[word]
  const found = await atPath(collection, path, open, reading)
  const heading = found && nameOf(found)
  if (!found || !heading) return undefined
  const shown = { kind, title: `${heading} – ${seo_title || name}`, description: null }
  return { among: { [field]: Number(found.id) }, path, heading, shown }
}

const PAGED = /^(.+?)(?:\/page\/(\d{1,15}))?$/

const atKey = async (open: OpenBlog, key: string, reading: Reading): Promise<Outcome | undefined> => {
  if (key === `${open.blog.current_path}/feed`) return feedOf(open, reading)
  const [, path = '', behind] = PAGED.exec(key) ?? []
  const list = await listAt(open, path, reading)
  if (list) return showList(open, list, behind === undefined ? undefined : Number(behind), reading)
  const found = await visiblePost(key, open, reading)
  return found && showPost(open, found, reading)
}

/** Returns what the blog of a site has at a path, however it is spelled, on every host of the site. The canonical address is on the main one. */
export const inBlog = async (site: Site, key: string, reading: Reading): Promise<Outcome | undefined> => {
  const open = await blogOf(site, reading)
  const lower = key.toLowerCase().normalize('NFC')
  const own = open?.blog.current_path
  if (!open || own === undefined || (lower !== own && !lower.startsWith(`${own}/`))) return undefined
  return atKey(open, lower, reading)
}
