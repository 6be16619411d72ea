import { localPath } from '../html/local-path.ts'
import type { ApiContext } from '../http/context.ts'

/** Returns the path that the query of a request names as the one to go on to. */
export const wishedIn = ({ querystring }: Pick<ApiContext, 'querystring'>, longest?: number): string | undefined =>
  localPath(new URLSearchParams(querystring).get('to'), longest)

/** Returns the path of a page that leads on to another. */
export const leadingTo = (path: string, to: string | undefined): string =>
  to === undefined ? path : `${path}?${new URLSearchParams({ to })}`

/** Creates what returns the address of a sign-in page that leads on to a path. @param home where it leads anyway */
export const signInAt =
  (signIn: string, home: string) =>
  (path: string): string =>
    leadingTo(signIn, path === home ? undefined : path)
