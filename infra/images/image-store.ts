import type { Sharp } from 'sharp'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Images } from '../../domain/kernel/ports/images.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import { blobOf, partOf, SIZES, type Size } from '../../domain/media/files.ts'
import { isDrawing } from './drawing.ts'
import { NotAnImage, type Recognised, rasterIn } from './raster.ts'

const MOST_BYTES = 10 * 1024 * 1024
/** Width and height, each. */
const MOST_PIXELS = 10_000
/** Over all frames of an animation: what a browser that shows it decodes. */
const MOST_IN_FRAMES = 500_000_000
const DECODING_S = 15
const TYPES = 'JPEG, PNG, WebP, GIF, SVG or ICO'

/** Images as they are kept and served. */
export interface ImageStoreDeps extends Images {
  /** Makes a size of an image that is there, if it is not there yet; `undefined` for types that are served in one size only. */
  sized(of: { readonly id: number; readonly file: number; readonly type: string }, size: Size): Promise<Sized>
}

/** Where a size is kept, and what it is. */
export interface Sized {
  readonly part: number
  readonly type: string
}

/** The decoder is loaded with the first image: it would be a fifth of what rests in memory. */
const decoding = async (content: Buffer): Promise<Sharp> => {
  const { default: sharp } = await import('sharp')
  const options = { failOn: 'error', limitInputPixels: MOST_PIXELS ** 2, sequentialRead: true, pages: 1 } as const
  return sharp(content, options).timeout({ seconds: DECODING_S })
}

const checkSize = ({ width, height, frames }: Omit<Recognised, 'type'>): void => {
  if (!(width > 0 && height > 0)) throw new NotAnImage('is not a whole image')
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw new NotAnImage(`is larger than ${MOST_PIXELS} x ${MOST_PIXELS} pixels`)
  if (width * height * frames > MOST_IN_FRAMES) throw new NotAnImage('has too many frames')
}

const broken = (): never => {
  throw new NotAnImage('is not a whole image')
}

/** Shows that it can be decoded, to the last line. */
const decode = async (content: Buffer): Promise<void> => {
  const decoder = await decoding(content)
  await decoder
    .resize(...SIZES.thumbnail, { fit: 'inside' })
    .raw()
    .toBuffer()
    .catch(broken)
}

/** The type of an image by its bytes. @throws {NotAnImage} */
const typeOf = async (content: Buffer): Promise<string> => {
  const raster = rasterIn(content)
  if (raster) {
    checkSize(raster)
    // What sharp cannot read is passed through as it is; its structure has been checked.
    if (raster.type !== 'image/x-icon') await decode(content)
    return raster.type
  }
  if (!isDrawing(content)) throw new NotAnImage(`is not an image: ${TYPES}`)
  const { width, height } = await (await decoding(content)).metadata().catch(broken)
  checkSize({ width, height, frames: 1 })
  await decode(content)
  return 'image/svg+xml'
}

/** What sizes of an image are made as: a photograph stays one, all else may be transparent. */
const sizedAs = (type: string): 'jpeg' | 'png' | 'webp' =>
  type === 'image/jpeg' ? 'jpeg' : type === 'image/webp' ? 'webp' : 'png'

/** One after the other: a single image can take some hundred megabytes while it is decoded. */
const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}

/**
 * Images fetched through the guarded client and kept as blobs. Sizes are made when they are first asked for: a part is written whole or not at all,
 * so whatever a kill leaves undone is made at the next request, and nothing is made that nobody looks at.
 */
export const imageStore = (outbound: Pick<Outbound, 'get'>, blobs: Blobs): ImageStoreDeps => {
  const inTurn = oneByOne()
  const read = async (name: string, part: number): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of blobs.read(name, part)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  return {
    async take(url, blob, part) {
      const got = await outbound.get({ url, accept: 'image/*', mostBytes: MOST_BYTES })
      if (got.kind !== 'fetched') return `could not be fetched: ${got.reason}`
      const content = Buffer.from(got.content)
      try {
        const content_type = await inTurn(() => typeOf(content))
        await blobs.write(blob, part, [content])
        return { content_type }
      } catch (error) {
        if (error instanceof NotAnImage) return error.message
        throw error
      }
    },
    async sized({ id, file, type }, size) {
      if (type === 'image/x-icon') return { part: partOf(file), type }
      const [name, part, format] = [blobOf(id), partOf(file, size), sizedAs(type)]
      const make = async () => {
        if (await blobs.has(name, part)) return
        const decoder = await decoding(await read(name, partOf(file)))
        const [width, height] = SIZES[size]
        const made = await decoder
          .autoOrient()
          .resize({ width, height, fit: 'inside', withoutEnlargement: true })
          .toFormat(format)
          .toBuffer()
        await blobs.write(name, part, [made])
      }
      if (!(await blobs.has(name, part))) await inTurn(make)
      return { part, type: `image/${format}` }
    },
  }
}
