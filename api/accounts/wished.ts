import { localPath } from '../html/local-path.ts'
import type { ApiContext } from '../http/context.ts'
import { wishedIn } from '../page-app/leading-on.ts'

/** Longest path that signing in leads back to: what OAuth clients ask for is long. */
const LONGEST_PATH = 4000

/** Returns the path of this host that a request names as the one to go on to. */
export const wishedPath = (sent: string | null): string | undefined => localPath(sent, LONGEST_PATH)

/** Returns the path that the query of a request names as the one to go on to. */
export const wishedOf = ({ ctx }: { readonly ctx: Pick<ApiContext, 'querystring'> }): string | undefined =>
  wishedIn(ctx, LONGEST_PATH)
