import sharp, { type Sharp } from 'sharp'
import { SIZES } from '../../../domain/media/files.ts'
import { drawingIn, hasFilter } from '../drawing/drawing.ts'
import { BROKEN, checkSize, NotAnImage } from '../raster/format.ts'
import { rasterIn } from '../raster/raster.ts'
import { DRAWING, ICON, type ImageMade, type ImageResult, type ImageTask, type ResizeTask } from './task.ts'

const MOST_PIXELS = 10_000 ** 2
const TYPES = 'JPEG, PNG, WebP, GIF, SVG or ICO'

/** Decoders of the types above. The library has many more, none of which may see what a client sent. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`)

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

const decoderOf = (content: Uint8Array): Sharp =>
  sharp(content, { failOn: 'error', limitInputPixels: MOST_PIXELS, sequentialRead: true, pages: 1 })

const clean = (sent: Buffer): ImageMade => {
  const raster = rasterIn(sent)
  if (raster) {
    checkSize(raster)
    return { content: raster.content, type: raster.type, unscaled: raster.type === ICON }
  }
  const drawing = drawingIn(sent)
  if (!drawing) throw new NotAnImage(`is not an image: ${TYPES}`)
  checkSize({ ...drawing, frames: 1 })
  const { content } = drawing
  return { content, type: DRAWING, unscaled: hasFilter(content) }
}

const decode = async (content: Uint8Array): Promise<void> => {
  await decoderOf(content)
    .resize(...SIZES.thumbnail, { fit: 'inside' })
    .raw()
    .toBuffer()
}

const resize = async ({ content, width, height, format }: ResizeTask): Promise<Uint8Array> =>
  decoderOf(content)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toFormat(format)
    .toBuffer()

/** @throws {NotAnImage} */
const make = async (task: ImageTask): Promise<ImageMade> => {
  const content = Buffer.from(task.content.buffer, task.content.byteOffset, task.content.byteLength)
  if (task.kind === 'clean') return clean(content)
  const { type } = task
  if (type === ICON || (type === DRAWING && hasFilter(content))) return { content, type, unscaled: true }
  if (task.kind === 'resize') return { content: await resize(task), type: `image/${task.format}`, unscaled: false }
  await decode(content)
  return { content: Buffer.alloc(0), type, unscaled: false }
}

/** What decoders say when the system gives them no more memory. */
const NO_MEMORY = /memory|rendering error/i

/** Carries out a task, within the limits of this process. `undefined` if its memory did not suffice. */
export const carryOut = async (task: ImageTask): Promise<ImageResult | undefined> => {
  try {
    return await make(task)
  } catch (error) {
    if (error instanceof NotAnImage) return { problem: error.message }
    return NO_MEMORY.test(String(error)) ? undefined : { problem: BROKEN }
  }
}
