import type { FileSource } from './files.ts'

/** Facts about an image that was stored. */
export interface StoredImage {
  readonly content_type: string
}

/** Fetches images from outside, checks them, and stores them as parts of blobs. */
export interface Images {
  /**
   * Fetches an image and stores it without its metadata, in the part for the original. Durable when it resolves.
   *
   * @returns its media type; or the reason why nothing is stored, worded as the end of a sentence
   * @throws {Refusal} unavailable, when the workspace adds too many at a time
   */
  take(source: FileSource): Promise<StoredImage | string>
}
