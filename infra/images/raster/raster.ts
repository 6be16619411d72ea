import { BROKEN, NotAnImage, type RasterImage, startsWith } from './format.ts'
import { gif } from './gif.ts'
import { icon } from './icon.ts'
import { jpeg } from './jpeg.ts'
import { PNG, png } from './png.ts'
import { webp } from './webp.ts'

const parserOf = (content: Buffer): ((content: Buffer) => RasterImage) | undefined => {
  if (startsWith(content, PNG)) return png
  if (startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')) return gif
  if (startsWith(content, 'RIFF') && content.toString('latin1', 8, 12) === 'WEBP') return webp
  if (startsWith(content, '\xff\xd8\xff')) return jpeg
  return startsWith(content, '\0\0\x01\0') ? icon : undefined
}

/**
 * Recognises an image made of pixels by its bytes, and removes its metadata, without decoding it. `undefined` for other content.
 *
 * @throws {NotAnImage} for one that is cut off, or has data behind its end: such a file is something else as well
 */
export const rasterIn = (content: Buffer): RasterImage | undefined => {
  const parse = parserOf(content)
  try {
    return parse?.(content)
  } catch (error) {
    // Thrown by a read behind the end of a buffer.
    if (error instanceof RangeError) throw new NotAnImage(BROKEN)
    throw error
  }
}
