import type { Document } from '../../kernel/ports/read-models.ts'
import type { TargetFile } from '../jobs/target-file.ts'

/** A file that is stored as it was received. */
export interface StoredFile {
  readonly blob: string
  readonly part: number
  /** Name under which a download is saved. */
  readonly name: string
  readonly bytes: number
}

/** Source of a download: the file of a record, or the file that a job makes of rows. */
export type DownloadedFile = TargetFile | ((document: Document) => StoredFile)
