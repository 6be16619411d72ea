import { post } from '../../../domain/blogs/post/model.ts'
import { isAt } from '../../../domain/kernel/decide/bound-reader.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { hostName } from '../../../domain/sites/public.ts'
import { DOWNLOADS, type DownloadLinks } from '../../download-links.ts'
import type { ApiContext, Next } from '../../http/context.ts'
import { send } from '../send.ts'
import type { PagesService } from '../service.ts'
import { readingFor, siteAt } from '../site.ts'
import { blogOf } from './listing.ts'
import { showPost } from './resolve.ts'

const PATH = `${DOWNLOADS}${post.name}/`
const openPost = recordOf(post)

/** Nothing of a preview is kept. */
const NO_SOURCES = { document() {}, where() {}, collection() {}, passing() {} }

/** Serves previews of posts, visible or not, on the host of their site to those who have a link that staff was given. */
export const postPreviews = (service: PagesService & { readonly links: Pick<DownloadLinks, 'fileIn'> }) => {
  const show = async (ctx: ApiContext, next: Next): Promise<unknown> => {
    const file = service.links.fileIn(ctx.URL)
    const host = hostName(ctx.host)
    const reading = readingFor(service, NO_SOURCES)
    const site = host === undefined ? undefined : await siteAt(host, reading)
    const found =
      file && site && isAt(site, { workspace_id: file.workspaceId })
        ? await reading.load.one(post.name, file.id)
        : undefined
    const open = site && found && isAt(site, found) ? await blogOf(site, reading) : undefined
    if (!open || !found) return next()
    ctx.state.operation = 'post_preview'
    const outcome = await showPost(open, openPost(found), reading, true)
    return outcome.kind === 'body' ? send(ctx, outcome.body) : next()
  }
  return function postPreview(ctx: ApiContext, next: Next): Promise<unknown> {
    const isAsked = ctx.path.startsWith(PATH) && (ctx.method === 'GET' || ctx.method === 'HEAD')
    return isAsked ? show(ctx, next) : next()
  }
}
