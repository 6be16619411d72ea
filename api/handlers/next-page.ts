import type { ApiRequest } from '../request.ts'

/** Returns the headers that tell where the next page begins: after the record with this id. */
export const nextPage = (request: ApiRequest, lastId: string): Record<string, string> => {
  const [path] = request.target.split('?')
  const query = new URLSearchParams(request.query)
  query.set('after', lastId)
  return { 'Pagination-Next': lastId, Link: `<${request.origin()}${path}?${query}>; rel="next"` }
}
