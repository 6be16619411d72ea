/** What an image turned out to be. */
export interface TakenImage {
  readonly content_type: string
}

/** Images that are fetched from outside, checked, and kept as parts of a blob. */
export interface Images {
  /**
   * Fetches an image and keeps it as it is, durably when this resolves.
   *
   * @param blob name of the blob
   * @param part of the original
   * @returns what it is; or, as the end of a sentence, why it may not be kept: then nothing is
   */
  take(url: string, blob: string, part: number): Promise<TakenImage | string>
}
