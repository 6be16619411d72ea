import type { DataSet } from './data-sets.ts'
import type { Target } from './load.ts'
import { contactFields } from './people.ts'

type Asked = Pick<DataSet, 'token'>

const withKey = (api: string, { token }: Asked) => ({ url: api, headers: { authorization: `Bearer ${token}` } })

const createsAt = (path: string) => (n: number) =>
  ({ method: 'POST', path, body: JSON.stringify({ contact: contactFields(n) }) }) as const

/** Creates contacts in a workspace, each with a different address. */
export const postsTo = (api: string, set: Asked & Pick<DataSet, 'workspaceId'>): Target => ({
  ...withKey(api, set),
  shots: createsAt(`/api/v2/workspaces/${set.workspaceId}/contacts`),
})

const HOT = 500

/** Reads contacts in turn; by default only as many as are certain to be cached in memory. */
export const readsOf = (api: string, set: DataSet, ids: readonly number[] = set.sample.slice(0, HOT)): Target => ({
  ...withKey(api, set),
  shots: ids.map((id) => ({ method: 'GET', path: `/api/v2/contacts/${id}` }) as const),
})

const PAGES = 500

const evenly = (ids: readonly number[], count: number): readonly number[] => {
  const step = Math.max(1, Math.floor(ids.length / count))
  return ids.filter((_, i) => i % step === 0)
}

/** Reads the pages of 20 that follow these contacts; by default spread over the whole list. */
export const pagesOf = (api: string, set: DataSet, ids: readonly number[] = evenly(set.sample, PAGES)): Target => ({
  ...withKey(api, set),
  shots: ids.map(
    (id) => ({ method: 'GET', path: `/api/v2/workspaces/${set.workspaceId}/contacts?after=${id}` }) as const,
  ),
})

/** Reads the first page of the list repeatedly. */
export const firstPageOf = (api: string, set: DataSet): Target => ({
  ...withKey(api, set),
  shots: [{ method: 'GET', path: `/api/v2/workspaces/${set.workspaceId}/contacts` }],
})

const OF_A_TURN = 5

/** Sends four reads for every create. */
export const mixOf = (api: string, set: DataSet): Target => {
  const reads = readsOf(api, set).shots
  const creates = postsTo(api, set).shots
  if (typeof reads === 'function' || typeof creates !== 'function')
    throw new TypeError('reads are listed, creates made')
  return { ...withKey(api, set), shots: (n) => (n % OF_A_TURN === 0 ? creates(n) : reads[n % reads.length]!) }
}

/** Requests to the bare server, by method. */
export const bareTargets = (api: string): Readonly<Record<'GET' | 'POST', Target>> => ({
  GET: { url: api, shots: [{ method: 'GET', path: '/' }] },
  POST: { url: api, shots: createsAt('/') },
})
