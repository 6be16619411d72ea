import { localPath } from '../html/local-path.ts'
import type { ApiContext } from '../http/context.ts'
import { LONGEST_PATH } from './signed-in.ts'

/** Returns the path of this host that a request names as the one to go on to. */
export const wishedPath = (sent: string | null): string | undefined => localPath(sent, LONGEST_PATH)

/** Returns the path that the query of a request names as the one to go on to. */
export const wishedOf = ({ ctx }: { readonly ctx: Pick<ApiContext, 'querystring'> }): string | undefined =>
  wishedPath(new URLSearchParams(ctx.querystring).get('to'))

/** Returns the path of a page that leads on to another. */
export const leadingTo = (path: string, to: string | undefined): string =>
  to === undefined ? path : `${path}?${new URLSearchParams({ to })}`
