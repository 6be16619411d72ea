import type { Document } from '../../kernel/ports/read-models.ts'
import type { TargetFile } from '../jobs/target-file.ts'

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
