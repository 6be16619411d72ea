import { pathKey } from '../../domain/resources/attributes/path-key.ts'
import { hostName } from '../../domain/sites/public.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { blogOf } from '../pages/blog/listing.ts'
import type { Body } from '../pages/body.ts'
import { resolve } from '../pages/resolve.ts'
import { send } from '../pages/send.ts'
import { readingFor, siteAt } from '../pages/site.ts'
import { SESSION } from './cookies.ts'
import type { MembersService } from './service.ts'
import { viewerOf } from './viewer.ts'

/** Nothing of what one contact reads is kept for others. */
const NO_SOURCES = { document() {}, where() {}, collection() {}, passing() {} }

const mayBeMember = ({ headers: { cookie = '' } }: Pick<ApiContext, 'headers'>): boolean =>
  cookie.includes(`${SESSION.name}=`)

/** Serves posts for members, at their own address, to contacts of the workspace who are signed in. All others get the page of strangers. */
export const postsForMembers = (service: MembersService) => {
  const bodyFor = async (ctx: ApiContext): Promise<Body | undefined> => {
    const host = hostName(ctx.host)
    const key = pathKey(ctx.path)
    if (host === undefined || key === undefined) return undefined
    const reading = readingFor(service, NO_SOURCES)
    const site = await siteAt(host, reading)
    const open = site && (await blogOf(site, reading))
    if (!site || !open || !key.toLowerCase().startsWith(`${open.blog.current_path}/`)) return undefined
    const viewer = await viewerOf({ ctx, service, site, at: open.at })
    const outcome = viewer?.session && (await resolve(site, key, { ...reading, isForMember: true }))
    if (outcome?.kind !== 'body' || !outcome.isForMember) return undefined
    // Other spellings of the address are led to it, as everybody is.
    return outcome.at === ctx.path ? outcome.body : undefined
  }
  return async function postForMember(ctx: ApiContext, next: Next): Promise<unknown> {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const body = isRead && mayBeMember(ctx) ? await bodyFor(ctx) : undefined
    if (!body) return next()
    ctx.state.operation = 'page'
    return send(ctx, body)
  }
}
