import type { ParsedUrlQuery } from 'node:querystring'
import type { FailuresAsked } from '../../workers/reactor/failures.ts'

/** Failures in one answer. */
const PAGE = 500

/** What a request for a page of failures asks: all, or those of one workspace, behind one of them. */
export const failuresAsked = ({ workspace_id, after }: ParsedUrlQuery): FailuresAsked => ({
  limit: PAGE,
  ...(typeof workspace_id === 'string' && { workspaceId: Number(workspace_id) }),
  ...(typeof after === 'string' && { after }),
})
