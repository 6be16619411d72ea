import { LONGEST_ECHO } from '../http/location.ts'
import type { ApiRequest } from './request.ts'

/** Returns the headers that tell where the next page begins. There is no `Link` to an address that is too long for one. @param cursor id of the last record, or what else `after` takes */
export const nextPage = (request: ApiRequest, cursor: string): Record<string, string> => {
  const [path] = request.target.split('?')
  const query = new URLSearchParams(request.query)
  query.set('after', cursor)
  const next = `${request.origin()}${path}?${query}`
  return { 'Pagination-Next': cursor, ...(next.length <= LONGEST_ECHO && { Link: `<${next}>; rel="next"` }) }
}
