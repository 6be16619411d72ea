/** Files that are fetched from outside and kept as parts of a blob, whatever is in them. */
export interface Files {
  /**
   * Fetches a file and keeps it as it is, durably when this resolves.
   *
   * @param blob name of the blob
   * @returns how long it is; or, as the end of a sentence, why it is not kept
   */
  take(url: string, blob: string, part: number): Promise<{ readonly bytes: number } | string>
}
