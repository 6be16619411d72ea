/** Fetches files of any content from outside and stores them as parts of blobs. */
export interface Files {
  /**
   * Fetches a file and stores it unchanged. Durable when it resolves.
   *
   * @param blob name of the blob
   * @returns its length; or the reason why it is not stored, worded as the end of a sentence
   */
  take(url: string, blob: string, part: number): Promise<{ readonly bytes: number } | string>
}
