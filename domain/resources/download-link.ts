import { Type } from 'typebox'
import type { Model } from '../kernel/model/model.ts'
import type { ViewPart } from './view.ts'

/** View part with a link to the file of a record. Links expire, so each answer has a new one. */
export const downloadLink = <M extends Model>({ name }: M): ViewPart<M> => ({
  schema: Type.String({ description: 'A link to the file, for a day' }),
  of: ({ id, workspace_id }, load) => load.download({ resource: name, id, workspaceId: workspace_id ?? 0 }),
})
