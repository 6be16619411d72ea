import { LRUCache } from 'lru-cache'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Images } from '../../domain/kernel/ports/images.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import type { Size } from '../../domain/media/files.ts'
import { imageDecoding } from './decoding.ts'
import { type KnownImage, type SizedImage, sizesOf } from './sizes.ts'
import { uploadsTo } from './uploads.ts'

/** Sizes that are known not to come about: for how long, and how many. */
const FAILED = { ttl: 60 * 60 * 1000, max: 20_000 }

/** Images, as they are kept and served. */
export interface ImageStore extends Images {
  /** Returns a size of a stored image, and makes it if it does not exist yet; the original, when the size cannot be made. */
  sized(image: KnownImage, size: Size): Promise<SizedImage>
  /** Stops what is under way. */
  close(): Promise<void>
}

/** Returns a store of images, fetched through the guarded client and kept as blobs. */
export const imageStore = (outbound: Pick<Outbound, 'get'>, blobs: Blobs): ImageStore => {
  const decoding = imageDecoding()
  const failed = new LRUCache<string, true>(FAILED)
  const deps = { outbound, blobs, decoding, failed }
  return {
    take: uploadsTo(deps),
    sized: sizesOf(deps),
    close: () => decoding.close(),
  }
}
