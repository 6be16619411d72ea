/** Properties of an image made of pixels, according to its bytes. */
export interface RasterImage {
  readonly type: string
  /** Pixels; the maximum where there are several pictures. */
  readonly width: number
  readonly height: number
  readonly frames: number
  /** The image without metadata, except for its orientation and colour profile. Its pixels are not encoded again. */
  readonly content: Buffer
}

/** Error for content that is not an image that may be kept. `message` tells the sender why. */
export class NotAnImage extends Error {}

export const BROKEN = 'is not a whole image'
const BEYOND = 'has data behind the end of the image'

/** Highest width, and highest height. */
const MOST_PIXELS = 10_000
/** Highest number of pixels over all frames of an animation: a browser that shows it decodes them all. */
const MOST_IN_FRAMES = 500_000_000

/** @throws {NotAnImage} for an image without pixels, or with too many */
export const checkSize = ({ width, height, frames }: Pick<RasterImage, 'width' | 'height' | 'frames'>): void => {
  if (!(width > 0 && height > 0)) throw new NotAnImage(BROKEN)
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw new NotAnImage(`is larger than ${MOST_PIXELS} x ${MOST_PIXELS} pixels`)
  if (width * height * frames > MOST_IN_FRAMES) throw new NotAnImage('has too many frames')
}

export const startsWith = (content: Buffer, start: string | Buffer): boolean =>
  content.subarray(0, start.length).equals(typeof start === 'string' ? Buffer.from(start, 'latin1') : start)

/** @throws {NotAnImage} unless the content ends here: one that goes on is something else as well */
export const endsAt = (content: Buffer, end: number): void => {
  if (end < content.length) throw new NotAnImage(BEYOND)
  if (end > content.length) throw new NotAnImage(BROKEN)
}

/** @throws {NotAnImage} */
export const beyondEnd = (): never => {
  throw new NotAnImage(BEYOND)
}

/** Returns the pieces as one; the whole itself if nothing was left out of it. */
export const joined = (pieces: readonly Buffer[], whole: Buffer): Buffer => {
  const content = Buffer.concat(pieces)
  return content.equals(whole) ? whole : content
}
