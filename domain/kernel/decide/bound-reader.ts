import type { Document, Query } from '../ports/read-models.ts'
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

/** Documents read at once while those of other places are passed over. */
const STRETCH = 100

/** Whether a record is of the place, or of no workspace or team. */
export const isAt = ({ teamId, workspaceId }: Place, { team_id, workspace_id }: Placed | Document): boolean => {
  if (workspaceId && typeof workspace_id === 'number' && workspace_id !== workspaceId) return false
  if (typeof team_id !== 'number' || team_id === teamId) return true
  return teamId === undefined && workspace_id === workspaceId && workspaceId !== undefined
}

/** Returns the documents of a place that match a query. Reads on where documents of other places took room within its limit. */
const findIn = async (
  documents: Documents,
  isOurs: (document: Document) => boolean,
  collection: string,
  query: Query,
  found: readonly Document[],
): Promise<Document[]> => {
  const ours = found.filter(isOurs)
  const { limit, sort } = query
  const last = found.at(-1)
  if (limit === undefined || last === undefined || found.length < limit || ours.length === limit) return ours
  const after = sort ? { id: last.id, value: last[sort.by] ?? null } : last.id
  const next = { ...query, after, limit: STRETCH }
  const more = await findIn(documents, isOurs, collection, next, await documents.find(collection, next))
  return [...ours, ...more].slice(0, limit)
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
        found.every(isOurs) ? found : findIn(documents, isOurs, collection, query, found),
      ),
  }
}

/** Returns read access to the documents of the team and workspace that a record or an event is of. */
export const beside = (documents: Documents, { team_id, workspace_id }: Placed | Document): FactReader =>
  boundTo(documents, {
    ...(typeof team_id === 'number' && { teamId: team_id }),
    ...(typeof workspace_id === 'number' && { workspaceId: workspace_id }),
  })
