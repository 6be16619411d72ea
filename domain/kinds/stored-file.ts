import { Type } from 'typebox'
import type { Model } from '../kernel/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { TargetFile } from './target-file.ts'
import type { Part } from './view.ts'

/** A file that is kept as it came. */
export interface StoredFile {
  readonly blob: string
  readonly part: number
  /** What people save it as. */
  readonly name: string
  readonly bytes: number
}

/** What is downloaded: the file of a record, or what a job makes out of rows. */
export type DownloadedFile = TargetFile | ((document: Document) => StoredFile)

/** Where the file of a record is, made anew each time, since links expire. */
export const linkTo = <M extends Model>({ name }: M): Part<M> => ({
  schema: Type.String({ description: 'A link to the file, for a day' }),
  of: ({ id, workspace_id }, load) => load.download({ resource: name, id, workspaceId: workspace_id ?? 0 }),
})
