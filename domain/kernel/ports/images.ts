/** Facts about an image that was stored. */
export interface StoredImage {
  readonly content_type: string
}

/** Fetches images from outside, checks them, and stores them as parts of blobs. */
export interface Images {
  /**
   * Fetches an image and stores it unchanged. Durable when it resolves.
   *
   * @param blob name of the blob
   * @param part number of the part for the original
   * @returns its media type; or the reason why nothing is stored, worded as the end of a sentence
   */
  take(url: string, blob: string, part: number): Promise<StoredImage | string>
}
