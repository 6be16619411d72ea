import type { ParsedUrlQuery } from 'node:querystring'
import type { FailureQuery } from '../../workers/reactor/failures.ts'

/** Failures in one answer. */
const PAGE = 500

/** Parses the query for a page of failures: of all workspaces or of one, from the start or behind a given failure. */
export const failuresAsked = ({ workspace_id, after }: ParsedUrlQuery): FailureQuery => ({
  limit: PAGE,
  ...(typeof workspace_id === 'string' && { workspaceId: Number(workspace_id) }),
  ...(typeof after === 'string' && { after }),
})
