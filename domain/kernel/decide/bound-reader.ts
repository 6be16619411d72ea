import type { Document, Query } from '../ports/read-models.ts'
import { inStretches, placeBehind, readOn } from '../ports/read-on.ts'
import { type MaybePromise, mapMaybe } from '../values/maybe-promise.ts'
import type { Documents, FactReader } from './command.ts'

/** Team and workspace of what is acted on. Without a workspace: the whole team. Without both: what is of no team. */
export interface Place {
  readonly teamId?: number | undefined
  readonly workspaceId?: number | undefined
}

/** Where a record, or an event, is. */
interface Placed {
  readonly team_id?: unknown
  readonly workspace_id?: unknown
}

/** Whether a record is of the place, or of no workspace or team. */
export const isAt = ({ teamId, workspaceId }: Place, { team_id, workspace_id }: Placed | Document): boolean => {
  if (workspaceId && typeof workspace_id === 'number' && workspace_id !== workspaceId) return false
  if (typeof team_id !== 'number' || team_id === teamId) return true
  return teamId === undefined && workspace_id === workspaceId && workspaceId !== undefined
}

/** Returns the documents of a place that match a query, some of which are found. Reads on where documents of other places took room within its limit. */
const findIn = async (
  isOurs: (document: Document) => boolean,
  find: (query: Query) => MaybePromise<Document[]>,
  query: Query,
  found: readonly Document[],
): Promise<Document[]> => {
  const ours = found.filter(isOurs)
  const { limit = Number.POSITIVE_INFINITY, sort } = query
  const last = found.at(-1)
  if (last === undefined || found.length < limit) return ours
  const further = inStretches(find, { ...query, limit, after: placeBehind(last, sort?.by) })
  return [...ours, ...(await readOn(further, limit - ours.length, (stretch) => stretch.filter(isOurs)))]
}

/** Returns read access to the documents of one place. A document of another one is absent, as if there were none. */
export const boundTo = (documents: Documents, place: Place): FactReader => {
  const isOurs = (document: Document) => isAt(place, document)
  const ours = (document: Document | undefined) => (document && isOurs(document) ? document : undefined)
  return {
    everywhere: documents,
    get: (collection, id) => mapMaybe(documents.get(collection, id), ours),
    getMany: (collection, ids) => mapMaybe(documents.getMany(collection, ids), (found) => found.map(ours)),
    find: (collection, query): MaybePromise<Document[]> =>
      mapMaybe(documents.find(collection, query), (found) =>
        found.every(isOurs) ? found : findIn(isOurs, (further) => documents.find(collection, further), query, found),
      ),
  }
}

/** Returns read access to the documents of the team and workspace that a record or an event is of. */
export const beside = (documents: Documents, { team_id, workspace_id }: Placed | Document): FactReader =>
  boundTo(documents, {
    ...(typeof team_id === 'number' && { teamId: team_id }),
    ...(typeof workspace_id === 'number' && { workspaceId: workspace_id }),
  })
