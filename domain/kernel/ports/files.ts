/** Where a file comes from, and where it is stored. */
export interface FileSource {
  readonly url: string
  /** Workspaces take turns, so that the files of one do not hold up another's. */
  readonly workspaceId: number
  /** Name of the blob. */
  readonly blob: string
  readonly part: number
}

/** Fetches files of any content from outside and stores them as parts of blobs. */
export interface Files {
  /**
   * Fetches a file and stores it unchanged. Durable when it resolves.
   *
   * @returns its length; or the reason why it is not stored, worded as the end of a sentence
   * @throws {Refusal} unavailable, when the workspace adds too many at a time
   */
  take(source: FileSource): Promise<{ readonly bytes: number } | string>
}
