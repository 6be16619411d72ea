import { dateOf, isVisible, post } from '../../../domain/blogs/post/model.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { findInTurns } from '../../../domain/kernel/ports/get-in-turns.ts'
import type { Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import { blog as blogModel } from '../../../domain/sites/blog/model.ts'
import { originOf } from '../../../domain/sites/public.ts'
import type { Until } from '../outcome.ts'
import type { Reading, Site } from '../site.ts'

export type Blog = RecordOf<typeof blogModel>
export type Post = RecordOf<typeof post>

const openBlog = recordOf(blogModel)
const openPost = recordOf(post)

/** Posts that are read at a time, and the highest number of all in a sitemap. */
const BATCH = 200
const MOST = 200_000

/** A blog with what its pages are made of. */
export interface OpenBlog {
  readonly blog: Blog
  /** Scheme, host and port of its canonical address. */
  readonly origin: string
  /** Time by the clock of its workspace. */
  readonly at: string
}

/** Returns the blog of a site. */
export const blogOf = async ({ workspaceId }: Site, { load, service }: Reading): Promise<OpenBlog | undefined> => {
  const [document] = await load.where('blog', 'workspace_id', workspaceId)
  const origin = await originOf(load, workspaceId)
  if (!document || origin === undefined) return undefined
  return { blog: openBlog(document), origin, at: new Date(service.now(workspaceId)).toISOString() }
}

/** Which posts a list has: those of a blog, an author, a tag or a category. */
export type Among = { readonly [field in 'shown_in' | 'shown_by' | 'shown_under' | 'shown_within']?: number }

/** Place of a post in a list. */
export type Place = { readonly id: number; readonly value: string | null }

export const placeOf = (one: Post): Place => ({ id: one.id, value: dateOf(one) })

interface Stretch {
  readonly limit: number
  readonly after?: Place | undefined
}

/** Goes through visible posts, the newest first. */
const allAmong = (among: Among, { at }: OpenBlog, { service, sources }: Reading, { limit, after }: Stretch) => {
  sources.collection(post.name)
  const where: Where = { ...among, shown_at: { $lte: at } }
  const sort = { by: 'shown_at', descending: true }
  const query = { where, sort, limit, ...(after && { after }) }
  return inStretches((next) => findInTurns(service, post.name, next), query)
}

/** Returns those of some posts that are still visible when they have been read. */
const visibleOf = (found: readonly Document[], { at }: OpenBlog): readonly Post[] =>
  found.map(openPost).filter((one) => isVisible(one, at))

/** Returns visible posts, the newest first. */
export const postsAmong = async (
  among: Among,
  open: OpenBlog,
  reading: Reading,
  stretch: Stretch,
): Promise<readonly Post[]> =>
  readOn(allAmong(among, open, reading, stretch), stretch.limit, (found) => visibleOf(found, open))

/** Returns until when lists of a blog are right if nothing changes: until its next post is due. */
export const nextDue = async ({ blog, at }: OpenBlog, { service, sources }: Reading): Promise<Until | undefined> => {
  sources.collection(post.name)
  const where: Where = { shown_in: blog.id, shown_at: { $gt: at } }
  const [next] = await service.everywhere.find(post.name, { where, sort: { by: 'shown_at' }, limit: 1 })
  return next && { workspaceId: blog.workspace_id ?? 0, at: String(next.shown_at) }
}

/** Returns the record of a blog at a path. */
export const atPath = async (
  collection: string,
  current_path: string,
  { blog }: OpenBlog,
  { service, sources }: Reading,
): Promise<Document | undefined> => {
  sources.where(collection, 'current_path', current_path)
  const where = { workspace_id: blog.workspace_id ?? 0, current_path }
  const [found] = await service.everywhere.find(collection, { where, limit: 1 })
  if (found) sources.document(collection, found.id)
  return found
}

/** Returns the post at a path, if others see it at this time. */
export const visiblePost = async (path: string, open: OpenBlog, reading: Reading): Promise<Post | undefined> => {
  const found = await atPath(post.name, path, open, reading)
  const one = found && openPost(found)
  return one && isVisible(one, open.at) ? one : undefined
}

/** Returns the address of a path of a blog. */
export const urlAt = ({ origin }: OpenBlog, path: string): URL => new URL(path, origin)

/** Calls back with the addresses of a site's blog, if the site has them. @returns until when they are right */
export const eachPost = async (
  site: Site,
  reading: Reading,
  visit: (listed: { readonly url: URL; readonly changed?: string }) => void,
): Promise<Until | undefined> => {
  const open = await blogOf(site, reading)
  if (!open || (site.domainId !== undefined && new URL(open.origin).hostname !== site.host)) return undefined
  let count = 0
  for await (const found of allAmong({ shown_in: open.blog.id }, open, reading, { limit: BATCH })) {
    const posts = visibleOf(found, open)
    if (count === 0 && posts.length > 0) visit({ url: urlAt(open, open.blog.current_path) })
    for (const one of posts) visit({ url: urlAt(open, one.current_path), changed: one.rewritten_at ?? one.created_at })
    count += posts.length
    if (count >= MOST) break
  }
  return nextDue(open, reading)
}
