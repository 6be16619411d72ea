import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'

/** An import that has written to a log, and is not complete. */
export interface UnfinishedImport {
  /** The archive. */
  readonly file: string
  /** Time of the last attempt, ISO 8601. */
  readonly begun: string
  /** Why it ended; missing while it runs, or when it was interrupted. */
  readonly failed?: string
}

/** Note of an unfinished import, kept beside the stores of an installation. A log that is only there in part must not be served or copied. */
export interface ImportNote {
  read(): MaybePromise<UnfinishedImport | undefined>
  write(note: UnfinishedImport): MaybePromise<void>
  remove(): MaybePromise<void>
}

/** Returns a sentence about the import that an installation holds a part of. */
export const describeUnfinished = ({ file, begun, failed }: UnfinishedImport): string =>
  `This installation holds only a part of ${file}: its import of ${begun} ${failed ? `failed (${failed})` : 'was interrupted'}. ` +
  'Run `millrace events import` with the complete archive, which goes on where it ended, or begin again with an empty installation.'

/** @throws {Error} when an import into these stores is not complete */
export const refuseUnfinished = async (note: ImportNote): Promise<void> => {
  const unfinished = await note.read()
  if (unfinished) throw new Error(describeUnfinished(unfinished))
}
