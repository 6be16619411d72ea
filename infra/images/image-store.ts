import type { Sharp } from 'sharp'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Images } from '../../domain/kernel/ports/images.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { blobOf, partOf, SIZES, type Size } from '../../domain/media/files.ts'
import { isSafeDrawing } from './drawing.ts'
import { type ImageProperties, NotAnImage, rasterIn } from './raster.ts'

const MOST_BYTES = 10 * 1024 * 1024
/** Highest width, and highest height. */
const MOST_PIXELS = 10_000
/** Highest number of pixels over all frames of an animation: a browser that shows it decodes them all. */
const MOST_IN_FRAMES = 500_000_000
const DECODING_S = 15
const TYPES = 'JPEG, PNG, WebP, GIF, SVG or ICO'

/** Images, as they are kept and served. */
export interface ImageStore extends Images {
  /** Returns a size of a stored image, and makes it if it does not exist yet. Icons have one size only: for them it returns the original. */
  sized(of: { readonly id: number; readonly file: number; readonly type: string }, size: Size): Promise<SizedImage>
}

/** Part of the blob with a size, and its content type. */
export interface SizedImage {
  readonly part: number
  readonly type: string
}

/** Returns a decoder. Its library is loaded with the first image: it would be a fifth of the memory of an idle process. */
const decoding = async (content: Buffer): Promise<Sharp> => {
  const { default: sharp } = await import('sharp')
  const options = { failOn: 'error', limitInputPixels: MOST_PIXELS ** 2, sequentialRead: true, pages: 1 } as const
  return sharp(content, options).timeout({ seconds: DECODING_S })
}

const checkSize = ({ width, height, frames }: Omit<ImageProperties, 'type'>): void => {
  if (!(width > 0 && height > 0)) throw new NotAnImage('is not a whole image')
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw new NotAnImage(`is larger than ${MOST_PIXELS} x ${MOST_PIXELS} pixels`)
  if (width * height * frames > MOST_IN_FRAMES) throw new NotAnImage('has too many frames')
}

const broken = (): never => {
  throw new NotAnImage('is not a whole image')
}

/** Checks that an image can be decoded, to the last line. @throws {NotAnImage} */
const decode = async (content: Buffer): Promise<void> => {
  const decoder = await decoding(content)
  await decoder
    .resize(...SIZES.thumbnail, { fit: 'inside' })
    .raw()
    .toBuffer()
    .catch(broken)
}

/** Returns the type of an image by its bytes. @throws {NotAnImage} */
const typeOf = async (content: Buffer): Promise<string> => {
  const raster = rasterIn(content)
  if (raster) {
    checkSize(raster)
    // sharp cannot read icons. They are kept as they are, since their structure has been checked.
    if (raster.type !== 'image/x-icon') await decode(content)
    return raster.type
  }
  if (!isSafeDrawing(content)) throw new NotAnImage(`is not an image: ${TYPES}`)
  const { width, height } = await (await decoding(content)).metadata().catch(broken)
  checkSize({ width, height, frames: 1 })
  await decode(content)
  return 'image/svg+xml'
}

/** Returns the format for the sizes of an image. JPEG and WebP stay; all else may be transparent and becomes PNG. */
const formatOf = (type: string): 'jpeg' | 'png' | 'webp' =>
  type === 'image/jpeg' ? 'jpeg' : type === 'image/webp' ? 'webp' : 'png'

/** Returns a function that runs tasks one at a time: decoding a single image can take some hundred megabytes. */
const taskQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}

/**
 * Returns a store of images, fetched through the guarded client and kept as blobs. Sizes are made at the first request, so that unused
 * ones are never made. A part is written whole or not at all: after a kill, the next request makes the size.
 */
export const imageStore = (outbound: Pick<Outbound, 'get'>, blobs: Blobs): ImageStore => {
  const enqueue = taskQueue()
  const read = async (name: string, part: number): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of blobs.read(name, part)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  return {
    async take(url, blob, part) {
      const response = await outbound.get({ url, accept: 'image/*', mostBytes: MOST_BYTES })
      if (response.kind !== 'fetched') return `could not be fetched: ${response.reason}`
      const content = Buffer.from(response.content)
      try {
        const content_type = await enqueue(() => typeOf(content))
        await blobs.write(blob, part, [content])
        return { content_type }
      } catch (error) {
        if (error instanceof NotAnImage) return error.message
        throw error
      }
    },
    async sized({ id, file, type }, size) {
      if (type === 'image/x-icon') return { part: partOf(file), type }
      const [name, part, format] = [blobOf(id), partOf(file, size), formatOf(type)]
      const make = async () => {
        if (await blobs.has(name, part)) return
        const decoder = await decoding(await read(name, partOf(file)))
        const [width, height] = SIZES[size]
        const resized = await decoder
          .autoOrient()
          .resize({ width, height, fit: 'inside', withoutEnlargement: true })
          .toFormat(format)
          .toBuffer()
        await blobs.write(name, part, [resized])
      }
      if (!(await blobs.has(name, part))) await enqueue(make)
      return { part, type: `image/${format}` }
    },
  }
}
