/** Facts about an image that was stored. */
export interface StoredImage {
  readonly content_type: string
}

/** Where an image comes from, and where it is stored. */
export interface ImageSource {
  readonly url: string
  /** Workspaces take turns, so that the images of one do not hold up another's. */
  readonly workspaceId: number
  /** Name of the blob. */
  readonly blob: string
  /** Number of the part for the original. */
  readonly part: number
}

/** Fetches images from outside, checks them, and stores them as parts of blobs. */
export interface Images {
  /**
   * Fetches an image and stores it without its metadata. Durable when it resolves.
   *
   * @returns its media type; or the reason why nothing is stored, worded as the end of a sentence
   * @throws {Refusal} unavailable, when the workspace adds too many at a time
   */
  take(source: ImageSource): Promise<StoredImage | string>
}
