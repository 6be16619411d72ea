import type { ApiRequest } from '../request.ts'

/** Returns the headers that tell where the next page begins. @param cursor id of the last record, or what else `after` takes */
export const nextPage = (request: ApiRequest, cursor: string): Record<string, string> => {
  const [path] = request.target.split('?')
  const query = new URLSearchParams(request.query)
  query.set('after', cursor)
  return { 'Pagination-Next': cursor, Link: `<${request.origin()}${path}?${query}>; rel="next"` }
}
