import type { LRUCache } from 'lru-cache'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import { blobOf, partOf, SIZES, type Size } from '../../domain/media/files.ts'
import { NoTurn } from '../fair-turns.ts'
import { ICON, type ImageFormat } from './decoder/task.ts'
import type { ImageDecoding } from './decoding.ts'

/** An image that is stored, as its record knows it. */
export interface KnownImage {
  readonly id: number
  readonly file: number
  readonly type: string
  readonly workspaceId: number
}

/** Part of the blob with a size, and its content type. */
export interface SizedImage {
  readonly part: number
  readonly type: string
  /** Whether it is the original in place of a size that may exist later. */
  readonly isStandIn: boolean
}

/** Sizes that could not be made, so that nobody else waits for them. */
export type FailedSizes = Pick<LRUCache<string, true>, 'has' | 'set'>

interface SizeDeps {
  readonly blobs: Blobs
  readonly decoding: ImageDecoding
  readonly failed: FailedSizes
}

/** Returns the format for the sizes of an image. JPEG and WebP stay; all else may be transparent and becomes PNG. */
const formatOf = (type: string): ImageFormat =>
  type === 'image/jpeg' ? 'jpeg' : type === 'image/webp' ? 'webp' : 'png'

const keyOf = (blob: string, part: number): string => `${blob}/${part}`

/** Notes that no size of an image can be made. @param original number of the part with the original, which the sizes follow */
export const setFailed = (failed: FailedSizes, blob: string, original: number): void => {
  for (const [index] of Object.keys(SIZES).entries()) failed.set(keyOf(blob, original + index + 1), true)
}

const read = async (blobs: Blobs, name: string, part: number): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of blobs.read(name, part)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * Returns a function that finds the sizes of images. A size is made when somebody asks for it, so that unused ones are never made. A part is
 * written whole or not at all: after a kill, the next request makes the size.
 */
export const sizesOf = ({ blobs, decoding, failed }: SizeDeps) => {
  /** Sizes that are being made. Everybody who asks for one of them waits for it. */
  const making = new Map<string, Promise<boolean>>()

  const make = async ({ id, file, type, workspaceId }: KnownImage, size: Size): Promise<boolean> => {
    const [name, part, [width, height]] = [blobOf(id), partOf(file, size), SIZES[size]]
    try {
      const made = await decoding.resize(workspaceId, async () => {
        const content = await read(blobs, name, partOf(file))
        return { content, type, width, height, format: formatOf(type) }
      })
      if (made) await blobs.write(name, part, [made.content])
      else failed.set(keyOf(name, part), true)
      return made !== undefined
    } catch (error) {
      if (error instanceof NoTurn) return false
      throw error
    }
  }
  const makeOnce = (image: KnownImage, size: Size, key: string): Promise<boolean> => {
    const begun = making.get(key) ?? make(image, size).finally(() => making.delete(key))
    making.set(key, begun)
    return begun
  }
  return async (image: KnownImage, size: Size): Promise<SizedImage> => {
    const original = { part: partOf(image.file), type: image.type }
    if (image.type === ICON) return { ...original, isStandIn: false }
    const [name, part] = [blobOf(image.id), partOf(image.file, size)]
    const key = keyOf(name, part)
    const exists = !failed.has(key) && ((await blobs.has(name, part)) || (await makeOnce(image, size, key)))
    return exists ? { part, type: `image/${formatOf(image.type)}`, isStandIn: false } : { ...original, isStandIn: true }
  }
}
