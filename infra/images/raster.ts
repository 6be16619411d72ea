/** Properties of an image, according to its bytes. */
export interface ImageProperties {
  readonly type: string
  /** Pixels; the maximum where there are several pictures. */
  readonly width: number
  readonly height: number
  readonly frames: number
}

/** Error for content that is not an image that may be kept. `message` tells the sender why. */
export class NotAnImage extends Error {}

const BROKEN = 'is not a whole image'
const BEYOND = 'has data behind the end of the image'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const startsWith = (content: Buffer, start: string | Buffer): boolean =>
  content.subarray(0, start.length).equals(typeof start === 'string' ? Buffer.from(start, 'latin1') : start)

const endsAt = (content: Buffer, end: number): void => {
  if (end < content.length) throw new NotAnImage(BEYOND)
  if (end > content.length) throw new NotAnImage(BROKEN)
}

const png = (content: Buffer): ImageProperties => {
  if (content.toString('latin1', 12, 16) !== 'IHDR') throw new NotAnImage(BROKEN)
  let [at, frames, type] = [PNG.length, 1, '']
  while (type !== 'IEND') {
    const length = content.readUInt32BE(at)
    type = content.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') frames = content.readUInt32BE(at + 8)
    at += length + 12
  }
  endsAt(content, at)
  return { type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20), frames }
}

/** Returns the size of a colour table in bytes, from the flags that announce it. */
const coloursIn = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns the offset behind a series of blocks, each of which begins with its length. */
const afterBlocks = (content: Buffer, from: number): number => {
  let at = from
  for (let length = content.readUInt8(at); length > 0; length = content.readUInt8(at)) at += length + 1
  return at + 1
}

const gif = (content: Buffer): ImageProperties => {
  let [width, height, frames] = [content.readUInt16LE(6), content.readUInt16LE(8), 0]
  let at = 13 + coloursIn(content.readUInt8(10))
  for (let block = content.readUInt8(at); block !== 0x3b; block = content.readUInt8(at)) {
    if (block === 0x2c) {
      frames += 1
      width = Math.max(width, content.readUInt16LE(at + 1) + content.readUInt16LE(at + 5))
      height = Math.max(height, content.readUInt16LE(at + 3) + content.readUInt16LE(at + 7))
      at = afterBlocks(content, at + 11 + coloursIn(content.readUInt8(at + 9)))
    } else if (block === 0x21) at = afterBlocks(content, at + 2)
    else throw new NotAnImage(BROKEN)
  }
  endsAt(content, at + 1)
  return { type: 'image/gif', width, height, frames }
}

const webpSize = (content: Buffer): Pick<ImageProperties, 'width' | 'height'> => {
  const kind = content.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') throw new NotAnImage(BROKEN)
  const bits = content.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const webp = (content: Buffer): ImageProperties => {
  const size = webpSize(content)
  endsAt(content, content.readUInt32LE(4) + 8)
  let frames = 0
  for (let at = 12; at + 8 <= content.length; ) {
    if (content.toString('latin1', at, at + 4) === 'ANMF') frames += 1
    const length = content.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return { type: 'image/webp', ...size, frames: Math.max(frames, 1) }
}

/** Whether a JPEG marker begins a frame, which has the size of the picture. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpeg = (content: Buffer): ImageProperties => {
  let end = content.length
  // Cameras pad files with zeros.
  while (end > 2 && content[end - 1] === 0) end -= 1
  if (content.readUInt16BE(end - 2) !== 0xffd9) throw new NotAnImage(BEYOND)
  for (let at = 2; ; ) {
    if (content.readUInt8(at) !== 0xff) throw new NotAnImage(BROKEN)
    const marker = content.readUInt8(at + 1)
    if (isFrame(marker)) {
      const [height, width] = [content.readUInt16BE(at + 5), content.readUInt16BE(at + 7)]
      return { type: 'image/jpeg', width, height, frames: 1 }
    }
    at += marker === 0xff ? 1 : 2 + content.readUInt16BE(at + 2)
  }
}

const icon = (content: Buffer): ImageProperties => {
  const count = content.readUInt16LE(4)
  if (count === 0) throw new NotAnImage(BROKEN)
  let [width, height, end] = [0, 0, 6 + 16 * count]
  for (let index = 0; index < count; index++) {
    const entry = 6 + 16 * index
    const [bytes, offset] = [content.readUInt32LE(entry + 8), content.readUInt32LE(entry + 12)]
    const picture = content.subarray(offset, offset + bytes)
    if (offset < 6 + 16 * count || picture.length < bytes) throw new NotAnImage(BROKEN)
    const isPng = startsWith(picture, PNG)
    if (!isPng && picture.readUInt32LE(0) !== 40) throw new NotAnImage(BROKEN)
    // The height of a bitmap in an icon includes its mask.
    const size = isPng ? png(picture) : { width: picture.readInt32LE(4), height: picture.readInt32LE(8) / 2 }
    width = Math.max(width, size.width)
    height = Math.max(height, size.height)
    end = Math.max(end, offset + bytes)
  }
  endsAt(content, end)
  return { type: 'image/x-icon', width, height, frames: 1 }
}

const parserOf = (content: Buffer): ((content: Buffer) => ImageProperties) | undefined => {
  if (startsWith(content, PNG)) return png
  if (startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')) return gif
  if (startsWith(content, 'RIFF') && content.toString('latin1', 8, 12) === 'WEBP') return webp
  if (startsWith(content, '\xff\xd8\xff')) return jpeg
  return startsWith(content, '\0\0\x01\0') ? icon : undefined
}

/**
 * Recognises an image made of pixels by its bytes, without decoding them. `undefined` for other content.
 *
 * @throws {NotAnImage} for one that is cut off, or has data behind its end: such a file is something else as well
 */
export const rasterIn = (content: Buffer): ImageProperties | undefined => {
  const parse = parserOf(content)
  try {
    return parse?.(content)
  } catch (error) {
    // Thrown by a read behind the end of a buffer.
    if (error instanceof RangeError) throw new NotAnImage(BROKEN)
    throw error
  }
}
